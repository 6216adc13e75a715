import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { maxFileBytes } from '#contract/shared/fileRules.ts'
import { exifOf, jpegWith, pictures, pngOf, pngWith } from '#testing/files/pictures.ts'
import { readPicture } from './picture.ts'

const place = '50.4372N 5.9714E'
const text = Buffer.from(place, 'latin1')
/** Pixels of 9 × 2, compressed as in a PNG. */
const black = deflateSync(Buffer.alloc(2 * (1 + 4 * 9)))
const kinds = ['png', 'jpeg', 'webp', 'losslessWebp', 'transparentWebp'] as const
describe('detection', () => {
  test.each(kinds)('a %s keeps its format, size and colours', async kind => {
    const picture = (await readPicture(pictures[kind]))!
    expect(picture.contentType).toBe(`image/${/png|jpeg|webp$/i.exec(kind)?.[0].toLowerCase()}`)
    const [before, after] = [await pixelsOf(pictures[kind]), await pixelsOf(picture.bytes)]
    expect(after).toMatchObject({ width: 3, height: 2, channels: before.channels })
    // Lossy formats blend the colours of neighbours, but the red stays.
    expect(Math.abs(meanRed(before) - meanRed(after))).toBeLessThan(30)
  })

  test.each([
    ['nothing', ''],
    ['text', 'Stint plan'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a GIF', 'GIF89a\u0001\0\u0001\0'],
    ['a sound in RIFF', 'RIFF\0\0\0\0WAVE'],
  ])('%s is not recognised as a picture', async (_what, content) => {
    expect(await readPicture(Buffer.from(content, 'latin1'))).toBeNull()
  })

  test('a PNG keeps every pixel', async () => {
    const { bytes } = (await readPicture(pictures.png))!
    expect((await pixelsOf(bytes)).values).toEqual((await pixelsOf(pictures.png)).values)
  })

  test('a palette stays a palette with the same colours', async () => {
    const paletted = await sharp(pictures.png).png({ palette: true }).toBuffer()
    const { bytes } = (await readPicture(paletted))!
    expect((await sharp(bytes).metadata()).isPalette).toBe(true)
    expect((await pixelsOf(bytes)).values).toEqual((await pixelsOf(paletted)).values)
  })
})

describe('personal metadata', () => {
  test.each<[string, Buffer]>([
    ['EXIF of a JPEG', jpegWith([0xe1, exifOf({ place, orientation: 1 })])],
    [
      'XMP of a JPEG',
      jpegWith([0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), text])]),
    ],
    ['preview of a JPEG', jpegWith([0xe2, Buffer.concat([Buffer.from('MPF\0'), text])])],
    ['thumbnail of a JPEG', jpegWith([0xe0, Buffer.concat([Buffer.from('JFXX\0'), text])])],
    ['caption of a JPEG', jpegWith([0xed, text])],
    ['comment of a JPEG', jpegWith([0xfe, text])],
    ['film after the end of a JPEG', Buffer.concat([pictures.jpeg, jpegWith([0xe1, text])])],
    ['text of a PNG', pngWith('tEXt', Buffer.concat([Buffer.from('Comment\0'), text]))],
    ['time of a PNG', pngWith('prVt', text)],
    ['text after the end of a PNG', Buffer.concat([pictures.png, text])],
    ['EXIF of a WebP', webpWith('EXIF', text)],
    ['XMP of a WebP', webpWith('XMP ', text)],
    ['text after the end of a WebP', Buffer.concat([pictures.webp, text])],
  ])('is dropped: %s', async (_what, bytes) => {
    expect(bytes.toString('latin1')).toContain(place)
    const cleaned = (await readPicture(bytes))!.bytes
    expect(cleaned.toString('latin1')).not.toContain(place)
    expect(await sharp(cleaned).metadata()).not.toHaveProperty('exif')
  })

  test('is dropped, and the picture turned upright', async () => {
    const halves = await sharp({
      create: { width: 32, height: 16, channels: 3, background: 'white' },
    })
      .composite([
        {
          input: { create: { width: 16, height: 16, channels: 3, background: 'black' } },
          left: 0,
          top: 0,
        },
      ])
      .jpeg()
      .toBuffer()
    const turned = await sharp(halves).withMetadata({ orientation: 6 }).toBuffer()
    expect((await sharp(turned).metadata()).orientation).toBe(6)
    const { bytes } = (await readPicture(turned))!
    expect((await sharp(bytes).metadata()).orientation).toBeUndefined()
    const { width, height, values } = await pixelsOf(bytes)
    expect([width, height]).toEqual([16, 32])
    // The left half, black, becomes the upper one.
    expect(values[0]).toBeLessThan(50)
    expect(values.at(-1)).toBeGreaterThan(200)
  })

  test('a wide colour profile is converted to sRGB and dropped', async () => {
    const wide = await sharp(pictures.png).withIccProfile('p3').png().toBuffer()
    expect((await sharp(wide).metadata()).icc).toBeDefined()
    const { bytes } = (await readPicture(wide))!
    expect(await sharp(bytes).metadata()).not.toHaveProperty('icc')
  })
})

describe('harmful pictures', () => {
  test.each(kinds)('a truncated %s is refused or not recognised', async kind => {
    for (let length = 0; length < pictures[kind].length - 12; length++) {
      expect(await outcome(pictures[kind].subarray(0, length))).toMatch(
        /^(nothing|unsupported-type)$/,
      )
    }
  })

  test('a picture with any byte changed is stored, refused or not recognised', async () => {
    for (const whole of Object.values(pictures)) {
      for (let at = 0; at < whole.length; at++) {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ 0x7f
        expect(await outcome(bytes)).toMatch(/^(image|nothing|unsupported-type|too-large)$/)
      }
    }
  })

  test.each([
    ['a page instead of its pixels', { packed: Buffer.from('<script>alert(1)</script>') }],
    ['a missing row', { heightPx: 3, packed: black }],
    ['an invalid filter', { rows: Buffer.alloc(2 * (1 + 4 * 9), 5) }],
    ['no pixels', { packed: Buffer.alloc(0) }],
  ])('a PNG with %s is refused', async (_what, odd) => {
    expect(await outcome(pngOf({ widthPx: 9, heightPx: 2 }))).toBe('image')
    expect(await outcome(pngOf({ widthPx: 9, heightPx: 2, ...odd }))).toBe('unsupported-type')
  })

  test('a page after the pixels of a PNG is not stored', async () => {
    const page = Buffer.from('<script>alert(1)</script>')
    const bytes = pngOf({ widthPx: 9, heightPx: 2, packed: Buffer.concat([black, page]) })
    const stored = await readPicture(bytes).catch(() => null)
    expect(stored?.bytes.includes(page) ?? false).toBe(false)
  })

  test('a picture of more than 4096 pixels a side is refused before decoding', async () => {
    expect(await outcome(pngOf({ widthPx: 4096 }))).toBe('image')
    expect(await outcome(pngOf({ widthPx: 4097 }))).toBe('too-large')
    const empty = Buffer.alloc(0)
    expect(await outcome(pngOf({ widthPx: 60_000, heightPx: 60_000, rows: empty }))).toBe(
      'too-large',
    )
    expect(await outcome(pngOf({ widthPx: 0 }))).toBe('unsupported-type')
    expect(await outcome(jpegOf({ widthPx: 4097, heightPx: 2 }))).toBe('too-large')
  })

  test('a picture that would be stored with more than 5 MB is refused', async () => {
    const raw = { width: 4096, height: 4096, channels: 1 } as const
    const compact = await sharp(randomBytes(4096 ** 2), { raw })
      .jpeg({ quality: 8 })
      .toBuffer()
    expect(compact.length).toBeLessThan(maxFileBytes)
    expect(await outcome(compact)).toBe('too-large')
  })

  test('a JPEG with a header larger than its pixels is refused', async () => {
    expect(await outcome(jpegOf({ widthPx: 3, heightPx: 2 }))).toBe('image')
    expect(await outcome(jpegOf({ widthPx: 4000, heightPx: 3000 }))).toBe('unsupported-type')
  })

  test('an animated WebP is refused', async () => {
    const frame = (background: string) =>
      sharp({ create: { width: 3, height: 2, channels: 3, background } })
        .png()
        .toBuffer()
    const film = await sharp([await frame('red'), await frame('blue')], {
      join: { animated: true },
    })
      .webp()
      .toBuffer()
    expect((await sharp(film).metadata()).pages).toBe(2)
    expect(await outcome(film)).toBe('unsupported-type')
  })

  test('the decoders of other formats are switched off', async () => {
    const start = Buffer.from([0xff, 0xd8, 0xff])
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expect(await outcome(Buffer.concat([start, svg]))).toBe('unsupported-type')
    await expect(sharp(svg).metadata()).rejects.toThrow('unsupported image format')
  })

  test('a refused picture does not stop the ones after it', async () => {
    const cut = pictures.png.subarray(0, 60)
    const outcomes = await Promise.all([cut, pictures.png, cut, pictures.webp].map(outcome))
    expect(outcomes).toEqual(['unsupported-type', 'image', 'unsupported-type', 'image'])
  })
})

async function pixelsOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return { ...info, values: [...data] }
}

function meanRed({ values, channels }: { values: number[]; channels: number }): number {
  const reds = values.filter((_value, index) => index % channels === 0)
  return reds.reduce((sum, red) => sum + red, 0) / reds.length
}

/** Appends a chunk to the transparent WebP. */
function webpWith(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  const padding = Buffer.alloc(content.length % 2)
  const webp = Buffer.concat([pictures.transparentWebp, head, content, padding])
  webp.writeUInt32LE(webp.length - 8, 4)
  webp[20] = (webp[20] ?? 0) | 0x0c
  return webp
}

/** Returns the JPEG with this size in its header. */
function jpegOf({ widthPx, heightPx }: { widthPx: number; heightPx: number }): Buffer {
  const frameAt = pictures.jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  const jpeg = Buffer.from(pictures.jpeg)
  jpeg.writeUInt16BE(heightPx, frameAt + 5)
  jpeg.writeUInt16BE(widthPx, frameAt + 7)
  return jpeg
}

async function outcome(bytes: Buffer): Promise<string> {
  try {
    return (await readPicture(bytes)) ? 'image' : 'nothing'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}
