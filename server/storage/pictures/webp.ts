import { type CleanPicture, Damaged, take } from './clean.ts'

interface Chunk {
  type: string
  content: Buffer
}

interface Size {
  widthPx: number
  heightPx: number
}

/** Bits of the extended header that may stay: it has a colour profile, it has transparency. */
const profileAndAlpha = 0x30
const animated = 0x02

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
}

/**
 * A WebP is a RIFF file: chunks of type (4 bytes), length (4), content, padded to even length. Kept are the
 * pixels, transparency and the colour profile. Throws Damaged, also for films.
 */
export function cleanWebp(bytes: Buffer): CleanPicture {
  const chunks = chunksOf(take(bytes, 8, bytes.readUInt32LE(4)).subarray(4))
  const pixels = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  if (pixels.length !== 1 || !pixels[0]) throw new Damaged('not one picture')
  const size = sizeOf(pixels[0])
  const kept = chunks.flatMap(chunk => (draws(chunk, size) ? write(chunk) : []))
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  const whole = Buffer.concat([head, ...kept])
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

function draws({ type, content }: Chunk, size: Size): boolean {
  switch (type) {
    case 'VP8X':
      checkCanvas(content, size)
      return true
    case 'VP8 ':
    case 'VP8L':
    case 'ALPH':
    case 'ICCP':
      return true
    default:
      return false
  }
}

/** The extended header: a byte of bits, three of nothing, width and height less one in three bytes each. */
function checkCanvas(content: Buffer, { widthPx, heightPx }: Size) {
  if ((take(content, 0, 10)[0] ?? 0) & animated) throw new Damaged('a film')
  if (content.readUIntLE(4, 3) + 1 !== widthPx || content.readUIntLE(7, 3) + 1 !== heightPx) {
    throw new Damaged('another size than its pixels')
  }
}

function sizeOf({ type, content }: Chunk): Size {
  if (type === 'VP8L') {
    if (take(content, 0, 5)[0] !== 0x2f) throw new Damaged('no pixels')
    const bits = content.readUInt32LE(1)
    return { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (take(content, 0, 10).readUIntBE(3, 3) !== 0x9d012a) throw new Damaged('no pixels')
  // The upper two bits ask for scaling, which no browser does.
  const size = {
    widthPx: content.readUInt16LE(6) & 0x3fff,
    heightPx: content.readUInt16LE(8) & 0x3fff,
  }
  if (size.widthPx === 0 || size.heightPx === 0) throw new Damaged('no pixels')
  return size
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
