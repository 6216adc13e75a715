import { maxImageSidePx } from '#contract/fileRules.ts'

export interface Size {
  widthPx: number
  heightPx: number
}

/** A picture without personal metadata. */
export interface CleanPicture extends Size {
  bytes: Buffer
}

/** Thrown if the bytes of a picture are inconsistent. */
export class Damaged extends Error {}

/** Thrown for a picture that would decode to more memory than a phone has. */
export class TooManyPixels extends Error {}

/** Returns `length` bytes from `start`; throws Damaged if there are fewer. */
export function take(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new Damaged('truncated')
  return bytes.subarray(start, start + length)
}

/** Throws Damaged for a picture without pixels, and TooManyPixels. Call it before decoding. */
export function checkSize({ widthPx, heightPx }: Size) {
  if (widthPx === 0 || heightPx === 0) throw new Damaged('no pixels')
  if (Math.max(widthPx, heightPx) > maxImageSidePx) throw new TooManyPixels()
}
