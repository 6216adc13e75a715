import sharp from 'sharp'
import { Refusal } from '#contract/refusal.ts'
import { type FileType, maxFileBytes, maxImageSidePx } from '#contract/shared/fileRules.ts'

// Hostile files reach only the decoders of these three formats.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
// Decoding runs outside the event loop. One picture on one thread leaves the processor to the live channel.
sharp.concurrency(1)
sharp.cache(false)

/** Timeout of one picture: the slowest of the allowed size take about 3 s. */
const timeoutSeconds = 20

export interface Picture {
  contentType: Exclude<FileType, 'application/octet-stream'>
  bytes: Buffer
}

/** Settles once the previous picture was processed: uploads wait for each other in order of arrival. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Recognises PNG, JPEG and WebP by their content; returns null for anything else. The picture is decoded,
 * turned upright and encoded again in its own format, in sRGB: nothing remains of metadata (place, device,
 * comments), previews and appended data. A lossless WebP becomes a lossy one. Refuses a damaged or animated
 * picture with `unsupported-type`, and with `too-large` one with too many pixels for a phone or more bytes
 * than a file may have.
 */
export async function readPicture(bytes: Buffer): Promise<Picture | null> {
  const contentType = typeOf(bytes)
  if (!contentType) return null
  const encoded = previous.then(() => encodeAgain(bytes))
  previous = encoded.catch(() => undefined)
  return { contentType, bytes: await encoded }
}

/** Detects the format by its first bytes: a damaged picture must be refused, not stored as a download. */
function typeOf(bytes: Buffer): Picture['contentType'] | null {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^RIFF.{4}WEBP$/s.test(start)) return 'image/webp'
  return null
}

async function encodeAgain(bytes: Buffer): Promise<Buffer> {
  // Reads only the header, so that a picture with too many pixels is refused as such.
  const header = sharp(bytes, { limitInputPixels: false }).metadata()
  const { width, height, pages = 1, isPalette } = await orDamaged(header)
  if (Math.max(width, height) > maxImageSidePx) {
    throw new Refusal('too-large', { detail: 'picture-too-large' })
  }
  if (pages > 1) throw damaged()
  // With `force: false` each call only sets the options of its format; the picture keeps its own.
  const upright = sharp(bytes, { limitInputPixels: maxImageSidePx ** 2, failOn: 'warning' })
    .timeout({ seconds: timeoutSeconds })
    .autoOrient()
    .png({ palette: isPalette, adaptiveFiltering: true, force: false })
    .jpeg({ quality: 85, force: false })
    .webp({ quality: 90, force: false })
  const encoded = await orDamaged(upright.toBuffer())
  if (encoded.length > maxFileBytes) throw new Refusal('too-large', { detail: 'file-too-large' })
  return encoded
}

/** The library's errors have no codes. With valid options, each is caused by the picture. */
async function orDamaged<T>(decoding: Promise<T>): Promise<T> {
  try {
    return await decoding
  } catch {
    throw damaged()
  }
}

function damaged(): Refusal {
  return new Refusal('unsupported-type', { detail: 'picture-damaged' })
}
