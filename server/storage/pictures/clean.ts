import { maxImageSidePx } from '#contract/fileRules.ts'

export interface Size {
  widthPx: number
  heightPx: number
}

/** A picture without what it tells of the one who took it. */
export interface CleanPicture extends Size {
  bytes: Buffer
}

/** The bytes of a picture are not what they say they are. */
export class Damaged extends Error {}

/** A small file that would unfold to more than a phone can hold. */
export class TooManyPixels extends Error {}

/** `length` bytes from `start`; throws Damaged if there are fewer. */
export function take(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new Damaged('cut off')
  return bytes.subarray(start, start + length)
}

/** Throws Damaged for a picture without pixels, and TooManyPixels. To be asked before anything is unfolded. */
export function checkSize({ widthPx, heightPx }: Size) {
  if (widthPx === 0 || heightPx === 0) throw new Damaged('no pixels')
  if (Math.max(widthPx, heightPx) > maxImageSidePx) throw new TooManyPixels()
}
