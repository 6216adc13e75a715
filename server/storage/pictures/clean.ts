/** A picture without what it tells of the one who took it. */
export interface CleanPicture {
  widthPx: number
  heightPx: number
  bytes: Buffer
}

/** The bytes of a picture are not what they say they are. */
export class Damaged extends Error {}

/** `length` bytes from `start`; throws Damaged if there are fewer. */
export function take(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new Damaged('cut off')
  return bytes.subarray(start, start + length)
}
