import { type CleanPicture, checkSize, Damaged, type Size, take } from './clean.ts'

interface Chunk {
  type: string
  content: Buffer
}

/** Bits of the extended header that are kept: colour profile, transparency. */
const profileAndAlpha = 0x30
const animated = 0x02

/** Chunks needed for drawing, and their only valid orders. */
const drawing = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L'])
const orders = /^(VP8 |VP8L|VP8X(ICCP)?((ALPH)?VP8 |VP8L))$/

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}

/**
 * Removes metadata from a WebP, a RIFF file: chunks of type (4 bytes), length (4), content, padded to even
 * length. Keeps the pixels, transparency and the colour profile. Throws Damaged, also for animations, and
 * TooManyPixels.
 */
export function cleanWebp(bytes: Buffer): CleanPicture {
  const chunks = chunksOf(take(bytes, 8, bytes.readUInt32LE(4)).subarray(4))
  const kept = chunks.filter(({ type }) => drawing.has(type))
  const pixels = kept.at(-1)
  if (!pixels || !orders.test(kept.map(({ type }) => type).join(''))) {
    throw new Damaged('not a single picture')
  }
  const size = pixels.type === 'VP8L' ? losslessSize(pixels.content) : lossySize(pixels.content)
  checkSize(size)
  for (const { type, content } of kept) {
    if (type === 'VP8X') checkCanvas(content, size)
    if (type === 'ALPH') checkTransparency(content, size)
  }
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  const whole = Buffer.concat([head, ...kept.flatMap(write)])
  whole.writeUInt32LE(whole.length - 8, 4)
  return { ...size, bytes: whole }
}

function chunksOf(body: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < body.length; ) {
    const head = take(body, at, 8)
    const length = head.readUInt32LE(4)
    chunks.push({ type: head.toString('latin1', 0, 4), content: take(body, at + 8, length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/**
 * Checks the extended header: a byte of flags, three reserved, width and height minus one in three bytes
 * each.
 */
function checkCanvas(content: Buffer, { widthPx, heightPx }: Size) {
  if (content.length !== 10) throw new Damaged('invalid canvas')
  if ((content[0] ?? 0) & animated) throw new Damaged('animation')
  if (content.readUIntLE(4, 3) + 1 !== widthPx || content.readUIntLE(7, 3) + 1 !== heightPx) {
    throw new Damaged('canvas size differs from the pixels')
  }
}

/**
 * Checks the transparency. Its first byte has the compression (2 bits), filter (2), preprocessing (2), and
 * two reserved bits.
 */
function checkTransparency(content: Buffer, { widthPx, heightPx }: Size) {
  const [kind = 0xff] = content
  const packing = kind & 0x03
  if (kind >> 6 !== 0 || packing > 1 || content.length < 2)
    throw new Damaged('invalid transparency')
  if (packing === 0 && content.length !== 1 + widthPx * heightPx)
    throw new Damaged('invalid transparency size')
}

/**
 * Parses the lossless header: a signature byte, 14 bits each of width and height minus one, a hint, and
 * three bits of version.
 */
function losslessSize(content: Buffer): Size {
  const [signature] = take(content, 0, 6)
  const bits = content.readUInt32LE(1)
  if (signature !== 0x2f || bits >>> 29 !== 0) throw new Damaged('invalid pixel header')
  return { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1 }
}

/**
 * Parses the lossy header. Three bytes: not a key frame (1 bit), version (3), shown (1), length of the
 * first partition (19). Then a signature, and width and height of 14 bits each.
 */
function lossySize(content: Buffer): Size {
  const tag = take(content, 0, 11).readUIntLE(0, 3)
  const [isKey, version, isShown, firstBytes] = [!(tag & 1), (tag >> 1) & 7, tag & 0x10, tag >> 5]
  if (!isKey || version > 3 || !isShown || content.readUIntBE(3, 3) !== 0x9d012a) {
    throw new Damaged('invalid pixel header')
  }
  if (firstBytes === 0 || 10 + firstBytes >= content.length) throw new Damaged('truncated')
  // The upper two bits request scaling, which no browser implements.
  return {
    widthPx: content.readUInt16LE(6) & 0x3fff,
    heightPx: content.readUInt16LE(8) & 0x3fff,
  }
}

function write({ type, content }: Chunk): Buffer[] {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  const padding = Buffer.alloc(content.length % 2)
  if (type !== 'VP8X') return [head, content, padding]
  const extended = Buffer.from(content)
  extended[0] = (content[0] ?? 0) & profileAndAlpha
  return [head, extended, padding]
}
