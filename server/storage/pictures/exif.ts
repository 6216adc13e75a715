const preamble = 'Exif\0\0'
const orientationTag = 0x0112
const entryBytes = 12

/** Reads the orientation of an EXIF segment: 1 (upright) to 8; null if it has none. */
export function orientationIn(content: Buffer): number | null {
  if (content.toString('latin1', 0, preamble.length) !== preamble) return null
  const tiff = content.subarray(preamble.length)
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null
  const int16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const list = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (list + 2 > tiff.length) return null
  const end = Math.min(list + 2 + int16(list) * entryBytes, tiff.length)
  for (let entry = list + 2; entry + entryBytes <= end; entry += entryBytes) {
    if (int16(entry) !== orientationTag) continue
    const orientation = int16(entry + 8)
    return orientation >= 1 && orientation <= 8 ? orientation : null
  }
  return null
}

/** Creates an EXIF segment of a JPEG that contains only the orientation. */
export function orientationSegment(orientation: number): Buffer {
  const marker = [0xff, 0xe1, 0, 34]
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
  const oneEntry = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const noMoreLists = [0, 0, 0, 0]
  return Buffer.concat([
    Buffer.from(marker),
    Buffer.from(preamble, 'latin1'),
    Buffer.from([...header, ...oneEntry, ...noMoreLists]),
  ])
}
