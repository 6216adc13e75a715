import { createInflate } from 'node:zlib'
import { Damaged, type Size } from './clean.ts'

export interface PngFormat extends Size {
  bitsPerPixel: number
  interlaced: boolean
}

/** The seven passes of an interlaced picture (Adam7): first column and row, and the steps to the next. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const wholePicture = [[0, 0, 1, 1]] as const

const chunkBytes = 256 * 1024
const highestFilter = 4

/**
 * Decompresses the pixels without keeping them: there must be exactly as many as the header states, each
 * row with a valid filter, and nothing after them. Stops at the first excess byte. Throws Damaged.
 */
export async function checkPngPixels(packed: Buffer, format: PngFormat): Promise<void> {
  const rows = rowsOf(format)
  let rowAt = 0
  let decompressedBytes = 0
  for await (const piece of decompress(packed)) {
    while (rowAt < decompressedBytes + piece.length) {
      const row = rows.next()
      const filter = piece[rowAt - decompressedBytes] ?? 0
      if (row.done || filter > highestFilter)
        throw new Damaged('too many rows, or an invalid filter')
      rowAt += row.value
    }
    decompressedBytes += piece.length
  }
  if (decompressedBytes !== rowAt || !rows.next().done) throw new Damaged('too few pixels')
}

/** Yields the size of each row in bytes, including its filter. */
function* rowsOf({ widthPx, heightPx, bitsPerPixel, interlaced }: PngFormat) {
  for (const [left, top, across, down] of interlaced ? adam7 : wholePicture) {
    const columns = Math.ceil((widthPx - left) / across)
    // A picture too narrow for a pass has no rows in it.
    if (columns <= 0) continue
    for (let y = top; y < heightPx; y += down) yield 1 + Math.ceil((columns * bitsPerPixel) / 8)
  }
}

/** Decompresses in chunks, off the event loop: the largest picture has 128 MB. */
async function* decompress(packed: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: chunkBytes })
  inflate.end(packed)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } catch (error) {
    throw new Damaged('pixels cannot be decompressed', { cause: error })
  }
  if (inflate.bytesWritten !== packed.length) throw new Damaged('data after the pixels')
}
