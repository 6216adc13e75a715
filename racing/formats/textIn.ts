/** Only the beginning of a file shows whether it is UTF-16 without a byte order mark. */
const searchedBytes = 200

/** Returns the text of a file in UTF-8, in UTF-16, or in the encoding of Windows for Western Europe (and Latin-1). */
export function textIn(bytes: Uint8Array): string {
  const encoding = utf16Of(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the variant of UTF-16, by its mark or by the zeros in every other byte; null for other encodings. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, searchedBytes)
  if (head.length < 4) return null
  const zeros = [0, 0]
  for (const [index, byte] of head.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const half = head.length / 2
  if (odd > 0.9 * half && even === 0) return 'utf-16le'
  return even > 0.9 * half && odd === 0 ? 'utf-16be' : null
}
