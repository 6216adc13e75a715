import { checkSize, Damaged, type Size } from './clean.ts'

/** Header of a JPEG's pixels. */
export interface JpegFrame extends Size {
  components: { id: number; across: number; down: number }[]
}

/** Side length of a block in pixels. */
const blockPx = 8

/** C4, C8 and CC are in the same range of markers, but are tables and extensions. */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/**
 * Parses a frame header: bits of a sample (1 byte), height and width (2 each), number of components (1),
 * and for each its id, sampling and table. Throws Damaged, TooManyPixels.
 */
export function frameOf(marker: number, content: Buffer): JpegFrame {
  // Baseline, extended or progressive with 8-bit Huffman coding: browsers show no other kinds.
  if (marker > 0xc2 || content[0] !== 8) throw new Damaged('unsupported kind')
  const size = { heightPx: content.readUInt16BE(1), widthPx: content.readUInt16BE(3) }
  checkSize(size)
  const count = content[5] ?? 0
  if (![1, 3, 4].includes(count) || content.length !== 6 + 3 * count)
    throw new Damaged('invalid frame')
  const components = Array.from({ length: count }, (_, index) => {
    const [id = 0, sampling = 0] = content.subarray(6 + 3 * index)
    return { id, across: sampling >> 4, down: sampling & 0x0f }
  })
  const isSampling = (times: number) => times >= 1 && times <= 4
  if (!components.every(({ across, down }) => isSampling(across) && isSampling(down))) {
    throw new Damaged('invalid sampling')
  }
  return { ...size, components }
}

/**
 * Whether the header of a scan names components of this frame: their number, then id and tables of each, 3
 * bytes.
 */
export function scanIsOf({ components }: JpegFrame, content: Buffer): boolean {
  const count = content[0] ?? 0
  if (count < 1 || count > components.length || content.length !== 1 + 2 * count + 3) return false
  const ids = Array.from({ length: count }, (_, index) => content[1 + 2 * index])
  return ids.every(named => components.some(({ id }) => id === named))
}

/**
 * Minimum size of a scan: every block of every component has at least one bit, so a few bytes cannot be a
 * large picture.
 */
export function leastScanBytes({ widthPx, heightPx, components }: JpegFrame): number {
  const [mostAcross, mostDown] = [
    Math.max(...components.map(({ across }) => across)),
    Math.max(...components.map(({ down }) => down)),
  ]
  const blocks = components.map(
    ({ across, down }) =>
      Math.ceil((widthPx * across) / mostAcross / blockPx) *
      Math.ceil((heightPx * down) / mostDown / blockPx),
  )
  return Math.ceil(blocks.reduce((sum, count) => sum + count, 0) / 8)
}
