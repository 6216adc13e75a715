import { type CleanPicture, Damaged, take } from './clean.ts'
import { orientationIn, orientationSegment } from './exif.ts'
import { frameOf, isFrame, type JpegFrame, leastScanBytes, scanIsOf } from './jpegFrame.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
/** Huffman codes (DHT), quantization (DQT), restart interval (DRI). */
const tables = new Set([0xc4, 0xdb, 0xdd])

export function isJpeg(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === SOI && bytes[2] === 0xff
}

/**
 * Removes metadata from a JPEG. It is a sequence of segments: 0xFF, marker, length (2 bytes, itself
 * included), content. A start of scan (SOS) is followed by pixels up to the next marker. Only segments
 * needed for drawing, the colour profile and the orientation are kept. Phones append previews, depth maps
 * and films after the end, each with a position of its own: they are dropped. Throws Damaged,
 * TooManyPixels.
 */
export function cleanJpeg(bytes: Buffer): CleanPicture {
  const kept: Buffer[] = []
  let frame: JpegFrame | undefined
  let orientation = 1
  let scanBytes = 0
  let at = 2
  for (;;) {
    const { marker, whole, content } = segmentAt(bytes, at)
    at = whole.byteOffset - bytes.byteOffset + whole.length
    if (marker === EOI) break
    if (isFrame(marker)) {
      if (frame) throw new Damaged('two frames')
      frame = frameOf(marker, content)
    }
    if (marker === APP1) orientation = orientationIn(content) ?? orientation
    const draws = drawingPart(marker, whole, content)
    if (draws) kept.push(draws)
    if (marker === SOS) {
      if (!frame || !scanIsOf(frame, content)) throw new Damaged('scan does not match its frame')
      const end = endOfScan(bytes, at)
      kept.push(bytes.subarray(at, end))
      scanBytes += end - at
      at = end
    }
  }
  if (!frame || scanBytes < leastScanBytes(frame)) throw new Damaged('too few pixels')
  const { widthPx, heightPx } = frame
  const start = Buffer.from([0xff, SOI])
  const turned = orientation === 1 ? [] : [orientationSegment(orientation)]
  const whole = Buffer.concat([start, ...turned, ...kept, Buffer.from([0xff, EOI])])
  return { widthPx, heightPx, bytes: whole }
}

function segmentAt(bytes: Buffer, start: number) {
  let at = start
  if (take(bytes, at, 2)[0] !== 0xff) throw new Damaged('missing marker')
  // A marker may be preceded by any number of 0xFF.
  while (bytes[at + 1] === 0xff) at += 1
  const marker = take(bytes, at, 2)[1] ?? 0
  if (marker === EOI) return { marker, whole: take(bytes, at, 2), content: Buffer.alloc(0) }
  if (marker < 0xc0 || marker === SOI || isRestart(marker)) throw new Damaged('misplaced marker')
  const length = take(bytes, at, 4).readUInt16BE(2)
  if (length < 2) throw new Damaged('invalid length')
  const whole = take(bytes, at, 2 + length)
  return { marker, whole, content: whole.subarray(4) }
}

/** Returns the part of a segment that is needed for drawing, or null. */
function drawingPart(marker: number, whole: Buffer, content: Buffer): Buffer | null {
  if (tables.has(marker) || marker === SOS || isFrame(marker)) return whole
  if (marker === APP0) return withoutPreview(content)
  if (marker === APP2) return startsWith(content, 'ICC_PROFILE\0') ? whole : null
  if (marker === APP14) return startsWith(content, 'Adobe') ? whole : null
  return null
}

/** A JFIF header has the pixel density, and may contain a small preview of the picture before cropping. */
function withoutPreview(content: Buffer): Buffer | null {
  if (!startsWith(content, 'JFIF\0') || content.length < 14) return null
  const noPreview = Buffer.from([0, 0])
  return Buffer.concat([Buffer.from([0xff, APP0, 0, 16]), content.subarray(0, 12), noPreview])
}

/**
 * Returns the position of the next marker outside the pixels: within them, 0xFF is followed by 0, or by a
 * restart.
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  throw new Damaged('truncated')
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

function startsWith(content: Buffer, text: string): boolean {
  return content.toString('latin1', 0, text.length) === text
}
