import { type CleanPicture, Damaged, take } from './clean.ts'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Chunks that draw: pixels, palette, transparency, colour. Text, time, EXIF and animation are not among them. */
const drawing = new Set('PLTE tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs IDAT IEND'.split(' '))

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature)
}

/** A chunk is its length (4 bytes), type (4), content, and checksum (4). Throws Damaged. */
export function cleanPng(bytes: Buffer): CleanPicture {
  const header = chunkAt(bytes, signature.length)
  if (header.type !== 'IHDR' || header.content.length !== 13) throw new Damaged('no header')
  const kept: Buffer[] = [signature, header.whole]
  let at = signature.length + header.whole.length
  let hasPixels = false
  for (let type = ''; type !== 'IEND'; ) {
    const chunk = chunkAt(bytes, at)
    at += chunk.whole.length
    type = chunk.type
    if (type === 'IHDR') throw new Damaged('two headers')
    if (type === 'IDAT') hasPixels = true
    if (drawing.has(type)) kept.push(chunk.whole)
  }
  const [widthPx, heightPx] = [header.content.readUInt32BE(0), header.content.readUInt32BE(4)]
  if (!hasPixels || widthPx === 0 || heightPx === 0) throw new Damaged('no pixels')
  return { widthPx, heightPx, bytes: Buffer.concat(kept) }
}

function chunkAt(bytes: Buffer, start: number) {
  const length = take(bytes, start, 8).readUInt32BE(0)
  const whole = take(bytes, start, 12 + length)
  return { whole, type: whole.toString('latin1', 4, 8), content: whole.subarray(8, 8 + length) }
}
