import { crc32 } from 'node:zlib'
import { type CleanPicture, checkSize, Damaged, take } from './clean.ts'
import { checkPngPixels, type PngFormat } from './pngPixels.ts'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * Chunks needed for drawing besides the pixels, with a check of their length. Text, time, EXIF and
 * animation are not among them.
 */
const colours: Record<string, (length: number) => boolean> = {
  PLTE: length => length > 0 && length <= 3 * 256 && length % 3 === 0,
  tRNS: length => length > 0 && length <= 256,
  gAMA: length => length === 4,
  cHRM: length => length === 32,
  sRGB: length => length === 1,
  cICP: length => length === 4,
  iCCP: () => true,
}

/** By colour type: samples of a pixel, and their allowed bit depths. */
const colourTypes: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}
const paletted = 3

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature)
}

/**
 * Removes metadata from a PNG. A chunk has a length (4 bytes), type (4), content, and checksum (4). Every
 * checksum must be right, and the pixels must decompress to exactly the size in the header. Throws Damaged,
 * TooManyPixels.
 */
export async function cleanPng(bytes: Buffer): Promise<CleanPicture> {
  const header = chunkAt(bytes, signature.length)
  const format = formatOf(header)
  const kept: Buffer[] = [signature, header.whole]
  const packed: Buffer[] = []
  let hasPalette = false
  let before = header
  for (let at = signature.length + header.whole.length; before.type !== 'IEND'; ) {
    const chunk = chunkAt(bytes, at)
    at += chunk.whole.length
    const { type, content, whole } = chunk
    if (type === 'IHDR') throw new Damaged('two headers')
    if (type === 'IDAT') {
      if (packed.length > 0 && before.type !== 'IDAT')
        throw new Damaged('pixel chunks are not consecutive')
      packed.push(content)
    }
    if (type === 'IEND' && content.length > 0) throw new Damaged('end chunk is not empty')
    if (colours[type]?.(content.length) === false) throw new Damaged('invalid colour chunk')
    if (type === 'PLTE') hasPalette = packed.length === 0
    if (type in colours || type === 'IDAT' || type === 'IEND') kept.push(whole)
    before = chunk
  }
  if (format.colourType === paletted && !hasPalette) throw new Damaged('missing palette')
  await checkPngPixels(Buffer.concat(packed), format)
  return { widthPx: format.widthPx, heightPx: format.heightPx, bytes: Buffer.concat(kept) }
}

interface Chunk {
  type: string
  content: Buffer
  whole: Buffer
}

function chunkAt(bytes: Buffer, start: number): Chunk {
  const length = take(bytes, start, 8).readUInt32BE(0)
  const whole = take(bytes, start, 12 + length)
  if (whole.readUInt32BE(8 + length) !== crc32(whole.subarray(4, 8 + length))) {
    throw new Damaged('wrong checksum')
  }
  return { whole, type: whole.toString('latin1', 4, 8), content: whole.subarray(8, 8 + length) }
}

/**
 * Parses the header: width and height (4 bytes each), bits, colour type, compression, filters, interlace (1
 * each).
 */
function formatOf({ type, content }: Chunk): PngFormat & { colourType: number } {
  if (type !== 'IHDR' || content.length !== 13) throw new Damaged('missing header')
  const size = { widthPx: content.readUInt32BE(0), heightPx: content.readUInt32BE(4) }
  checkSize(size)
  const [depth = 0, colourType = 0, packing, filters, interlace = 0] = content.subarray(8)
  const colour = colourTypes[colourType]
  if (!colour?.depths.includes(depth) || packing !== 0 || filters !== 0 || interlace > 1) {
    throw new Damaged('unsupported kind')
  }
  return {
    ...size,
    colourType,
    bitsPerPixel: colour.samples * depth,
    interlaced: interlace === 1,
  }
}
