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
 * Recognises PNG, JPEG and WebP by their content; null for anything else. Only what is needed to draw the
 * picture is kept: where and with what it was taken (EXIF, XMP, comments), previews, animation and
 * whatever hangs on behind its end are dropped. What is kept must be a picture: of a PNG all pixels are
 * unfolded, of JPEG and WebP all that stands around the packed pixels must agree. The pixels themselves
 * are not touched, so nothing is lost but the position of a PNG or WebP that says in EXIF how it is to be
 * turned; a JPEG, which is what phones take, stays upright. Refuses with `unsupported-type` what is
 * damaged, and with `too-large` what has more pixels than a phone can hold.
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
    // Reading past the end is how a picture that was cut off shows.
    if (error instanceof Damaged || error instanceof RangeError) {
      throw new Refusal('unsupported-type', { detail: 'picture-damaged' })
    }
    throw error
  }
}
