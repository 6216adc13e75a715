import type { FileType } from '#contract/fileRules.ts'
import { Refusal } from '#contract/refusal.ts'
import { type CleanPicture, Damaged, TooManyPixels } from './clean.ts'
import { cleanJpeg, isJpeg } from './jpeg.ts'
import { cleanPng, isPng } from './png.ts'
import { cleanWebp, isWebp } from './webp.ts'

export interface Picture extends CleanPicture {
  contentType: Exclude<FileType, 'application/octet-stream'>
}

/**
 * Recognises PNG, JPEG and WebP by their content; returns null for anything else. Only what is needed for
 * drawing is kept: metadata about place and device (EXIF, XMP, comments), previews, animation and appended
 * data are dropped. The rest must be a valid picture: all pixels of a PNG are decompressed, and the
 * structure around the pixels of JPEG and WebP must be consistent. The pixels themselves are not
 * re-encoded, so nothing is lost but the EXIF orientation of a PNG or WebP; a JPEG, the format of phones,
 * stays upright. Refuses a damaged picture with `unsupported-type`, and one with too many pixels for a
 * phone with `too-large`.
 */
export async function readPicture(bytes: Buffer): Promise<Picture | null> {
  const contentType = typeOf(bytes)
  return contentType && { contentType, ...(await clean(contentType, bytes)) }
}

function typeOf(bytes: Buffer): Picture['contentType'] | null {
  if (isPng(bytes)) return 'image/png'
  if (isJpeg(bytes)) return 'image/jpeg'
  if (isWebp(bytes)) return 'image/webp'
  return null
}

async function clean(contentType: Picture['contentType'], bytes: Buffer): Promise<CleanPicture> {
  try {
    switch (contentType) {
      case 'image/png':
        return await cleanPng(bytes)
      case 'image/jpeg':
        return cleanJpeg(bytes)
      case 'image/webp':
        return cleanWebp(bytes)
    }
  } catch (error) {
    if (error instanceof TooManyPixels) {
      throw new Refusal('too-large', { detail: 'picture-too-large' })
    }
    // A truncated picture causes reads past its end.
    if (error instanceof Damaged || error instanceof RangeError) {
      throw new Refusal('unsupported-type', { detail: 'picture-damaged' })
    }
    throw error
  }
}
