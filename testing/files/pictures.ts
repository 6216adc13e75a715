import { crc32, deflateSync } from 'node:zlib'

/** Pictures of 3 × 2 pixels, red with a blue corner, encoded by a browser's canvas. */
export const pictures = {
  png: bytesOf(
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAGElEQVR4AWJiYPj//z+IAGKm/wyMDDAAAAAA//+X' +
      'bFgYAAAABklEQVQDAH7zBv/xWDlDAAAAAElFTkSuQmCC',
  ),
  jpeg: bytesOf(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ' +
      'c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
      'pKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAA' +
      'AAX/xAAVEAEBAAAAAAAAAAAAAAAAAAAAMf/EABUBAQEAAAAAAAAAAAAAAAAAAAQG/8QAFxEAAwEAAAAAAAAAAAAA' +
      'AAAAAAECMf/aAAwDAQACEQMRAD8AnwAStZRziP/Z',
  ),
  /** Lossy. */
  webp: bytesOf(
    'UklGRkAAAABXRUJQVlA4IDQAAACwAQCdASoDAAIABABoJagCdLoABDAAAP7rOdYIdF2KO6omqP/57pknQ/4mz+LM' +
      'zxfEAAAA',
  ),
  losslessWebp: bytesOf('UklGRiAAAABXRUJQVlA4TBMAAAAvAkAAAA8Q87//8x8ObnAQ0f8QAA=='),
  transparentWebp: bytesOf(
    'UklGRmYAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAA/wD//wD/AFZQOCA4AAAA0AEAnQEqAwACAAQA' +
      'aCWoAnRHAGSAA1AA/uulxw+Y234cwd2Um9S5B/5osNWP/4mz/n0RKfWAAAA=',
  ),
}

/** Returns EXIF data of a phone: a place in clear text, and the orientation. */
export function exifOf({ place, orientation }: { place: string; orientation: number }): Buffer {
  const text = Buffer.from(`${place}\0`.padEnd(8, '\0'), 'latin1')
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  writeEntry(tiff, 10, { tag: 0x010e, type: 2, count: text.length, value: tiff.length })
  writeEntry(tiff, 22, { tag: 0x0112, type: 3, count: 1, value: orientation })
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, text])
}

/** Returns the JPEG with segments inserted after its start, such as 0xE1 (APP1) or 0xFE (comment). */
export function jpegWith(...segments: [marker: number, content: Buffer][]): Buffer {
  const written = segments.flatMap(([marker, content]) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    return [head, content]
  })
  return Buffer.concat([pictures.jpeg.subarray(0, 2), ...written, pictures.jpeg.subarray(2)])
}

/** Returns the PNG with a chunk inserted after its header. */
export function pngWith(type: string, content: Buffer): Buffer {
  const end = 8 + 12 + 13
  return Buffer.concat([
    pictures.png.subarray(0, end),
    chunk(type, content),
    pictures.png.subarray(end),
  ])
}

interface PngOptions {
  widthPx: number
  heightPx?: number
  interlaced?: boolean
  /** Uncompressed rows: a filter byte and four bytes per pixel. */
  rows?: Buffer
  /** Compressed rows, as stored in the file. */
  packed?: Buffer
}

/** Returns a black PNG of this size, or one whose content does not match its declared size. */
export function pngOf({
  widthPx,
  heightPx = 1,
  interlaced = false,
  rows = Buffer.alloc(heightPx * (1 + 4 * widthPx)),
  packed = deflateSync(rows),
}: PngOptions): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, Number(interlaced)])
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  return Buffer.concat([
    pictures.png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

function writeEntry(
  tiff: Buffer,
  at: number,
  { tag, type, count, value }: { tag: number; type: number; count: number; value: number },
) {
  tiff.writeUInt16LE(tag, at)
  tiff.writeUInt16LE(type, at + 2)
  tiff.writeUInt32LE(count, at + 4)
  tiff.writeUInt32LE(value, at + 8)
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}
