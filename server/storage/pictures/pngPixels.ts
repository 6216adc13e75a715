import { createInflate } from 'node:zlib'
import { Damaged, type Size } from './clean.ts'

export interface PngFormat extends Size {
  bitsPerPixel: number
  interlaced: boolean
}

/** The seven small pictures of an interlaced one: first column and row, and the steps to the next. */
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

const unfoldedAtOnceBytes = 256 * 1024
const highestFilter = 4

/**
 * Unfolds the pixels and keeps none: there must be exactly as many as the format says, each row with a
 * filter that exists, and nothing behind them. Stops at the first byte too many. Throws Damaged.
 */
export async function checkPngPixels(packed: Buffer, format: PngFormat): Promise<void> {
  const rows = rowsOf(format)
  let rowAt = 0
  let unfolded = 0
  for await (const piece of unfold(packed)) {
    while (rowAt < unfolded + piece.length) {
      const row = rows.next()
      const filter = piece[rowAt - unfolded] ?? 0
      if (row.done || filter > highestFilter) throw new Damaged('not these pixels')
      rowAt += row.value
    }
    unfolded += piece.length
  }
  if (unfolded !== rowAt || !rows.next().done) throw new Damaged('too few pixels')
}

/** How many bytes each row has, its filter included. */
function* rowsOf({ widthPx, heightPx, bitsPerPixel, interlaced }: PngFormat) {
  for (const [left, top, across, down] of interlaced ? adam7 : wholePicture) {
    const columns = Math.ceil((widthPx - left) / across)
    // A picture too narrow for a pass has no rows of it either.
    if (columns <= 0) continue
    for (let y = top; y < heightPx; y += down) yield 1 + Math.ceil((columns * bitsPerPixel) / 8)
  }
}

/** Piece by piece, beside the event loop: a picture of the largest size has 128 MB. */
async function* unfold(packed: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: unfoldedAtOnceBytes })
  inflate.end(packed)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } catch (error) {
    throw new Damaged('pixels that do not unfold', { cause: error })
  }
  if (inflate.bytesWritten !== packed.length) throw new Damaged('more than pixels')
}
