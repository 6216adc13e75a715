import { expect } from '@playwright/test'

/** Place and size in pixels. */
interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Matches a box that looks the same. Browsers round to a fraction of a pixel, which depends on how a text is split. */
export function samePlace(box: Box | null): unknown {
  return (
    box && {
      x: expect.closeTo(box.x, 1),
      y: expect.closeTo(box.y, 1),
      width: expect.closeTo(box.width, 1),
      height: expect.closeTo(box.height, 1),
    }
  )
}
