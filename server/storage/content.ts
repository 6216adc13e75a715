import { extname } from 'node:path'
import { Refusal } from '#contract/refusal.ts'
import { type FileType, logoName, memberOfPhoto } from '#contract/shared/fileRules.ts'
import { readPicture } from './picture.ts'

export interface Content {
  contentType: FileType
  bytes: Buffer
}

const pictureEndings: Record<string, FileType> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.jfif': 'image/jpeg',
  '.webp': 'image/webp',
}

/**
 * Detects a file's type from its bytes alone and ignores the sender's claims. Pictures are encoded again. A logo,
 * a photo, and a name with a picture's extension must be one: otherwise refuses with `unsupported-type`.
 * Everything else is served as a download only.
 */
export async function readContent(name: string, bytes: Buffer): Promise<Content> {
  if (bytes.length === 0) {
    throw new Refusal('invalid-input', { detail: 'file-empty' })
  }
  const picture = await readPicture(bytes)
  const expected = pictureEndings[extname(name).toLowerCase()]
  if (expected && expected !== picture?.contentType) {
    throw new Refusal('unsupported-type')
  }
  if (mustBePicture(name) && !picture) {
    throw new Refusal('unsupported-type', { detail: 'picture-needed' })
  }
  return picture ?? { contentType: 'application/octet-stream', bytes }
}

function mustBePicture(name: string): boolean {
  return name === logoName || memberOfPhoto(name) !== null
}
