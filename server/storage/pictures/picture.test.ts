import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { exifOf, jpegWith, pictures, pngOf, pngWith } from '#testing/pictures.ts'
import { orientationIn } from './exif.ts'
import { readPicture } from './picture.ts'

const place = '50.4372N 5.9714E'
/** Pixels of 9 × 2, as a PNG packs them. */
const black = deflateSync(Buffer.alloc(2 * (1 + 4 * 9)))
const frameAt = pictures.jpeg.indexOf(Buffer.from([0xff, 0xc0]))
const exif = (orientation = 1) => exifOf({ place, orientation })

describe('detection', () => {
  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['losslessWebp', 'image/webp'],
    ['transparentWebp', 'image/webp'],
  ] as const)(
    'a %s is detected by its content and returned unchanged',
    async (kind, contentType) => {
      expect(await readPicture(pictures[kind])).toEqual({
        contentType,
        widthPx: 3,
        heightPx: 2,
        bytes: pictures[kind],
      })
    },
  )

  test.each([
    ['nothing', ''],
    ['text', 'Stint plan'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a GIF', 'GIF89a\u0001\0\u0001\0'],
    ['a sound in RIFF', 'RIFF\0\0\0\0WAVE'],
  ])('%s is not recognised as a picture', async (_what, text) => {
    expect(await readPicture(Buffer.from(text, 'latin1'))).toBeNull()
  })
})

describe('personal metadata', () => {
  const clean = async (bytes: Buffer) => {
    expect(bytes.toString('latin1')).toContain(place)
    return (await readPicture(bytes))?.bytes
  }
  const text = Buffer.from(place, 'latin1')

  test('is dropped from a JPEG: EXIF, XMP, previews, comments', async () => {
    const jpeg = jpegWith(
      [0xe1, exif()],
      [0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), text])],
      [0xe2, Buffer.concat([Buffer.from('MPF\0'), text])],
      [0xe0, Buffer.concat([Buffer.from('JFXX\0'), text])],
      [0xed, text],
      [0xfe, text],
    )
    expect(await clean(jpeg)).toEqual(pictures.jpeg)
  })

  test('is dropped from after the end of a JPEG, where phones append films', async () => {
    expect(await clean(Buffer.concat([pictures.jpeg, jpegWith([0xe1, exif()])]))).toEqual(
      pictures.jpeg,
    )
  })

  test('is dropped from the preview in a JFIF header', async () => {
    const jfif = Buffer.from(pictures.jpeg.subarray(4 + 2, 4 + 16))
    jfif[12] = 1
    jfif[13] = 6
    const withoutHeader = Buffer.concat([pictures.jpeg.subarray(0, 2), pictures.jpeg.subarray(20)])
    const head = Buffer.from([0xff, 0xe0, 0, 2 + 14 + 18])
    const preview = Buffer.concat([head, jfif, text.subarray(0, 16), Buffer.alloc(2)])
    expect(
      await clean(
        Buffer.concat([withoutHeader.subarray(0, 2), preview, withoutHeader.subarray(2)]),
      ),
    ).toEqual(pictures.jpeg)
  })

  test.each(['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'acTL', 'prVt'])(
    'is dropped from the %s chunk of a PNG',
    async type => {
      expect(await clean(pngWith(type, text))).toEqual(pictures.png)
    },
  )

  test('is dropped from after the end of a PNG', async () => {
    expect(await clean(Buffer.concat([pictures.png, text]))).toEqual(pictures.png)
  })

  test.each(['EXIF', 'XMP '])('is dropped from the %s chunk of a WebP', async type => {
    const webp = webpWith(type, text)
    webp[20] = (webp[20] ?? 0) | 0x0c
    expect(await clean(webp)).toEqual(pictures.transparentWebp)
  })

  test('is dropped from after the end of a WebP', async () => {
    expect(await clean(Buffer.concat([pictures.webp, text]))).toEqual(pictures.webp)
  })

  test.each([2, 3, 6, 8])(
    'is dropped, but a JPEG keeps its orientation (%i)',
    async orientation => {
      const cleaned = (await clean(jpegWith([0xe1, exif(orientation)])))!
      expect(cleaned.toString('latin1')).not.toContain(place)
      const length = cleaned.readUInt16BE(4)
      expect(cleaned.subarray(2, 4)).toEqual(Buffer.from([0xff, 0xe1]))
      expect(orientationIn(cleaned.subarray(6, 4 + length))).toBe(orientation)
      expect(cleaned.subarray(4 + length)).toEqual(pictures.jpeg.subarray(2))
      expect((await readPicture(cleaned))?.bytes).toEqual(cleaned)
    },
  )

  test('is dropped, but the colour profile stays', async () => {
    const profile = Buffer.from('ICC_PROFILE\0\u0001\u0001colours', 'latin1')
    const jpeg = jpegWith([0xe2, profile])
    expect((await readPicture(jpeg))?.bytes).toEqual(jpeg)
    const png = pngWith('iCCP', profile)
    expect((await readPicture(png))?.bytes).toEqual(png)
  })
})

describe('harmful pictures', () => {
  test.each(['png', 'jpeg', 'webp', 'losslessWebp', 'transparentWebp'] as const)(
    'a %s truncated anywhere is refused or not recognised',
    async kind => {
      for (let length = 0; length < pictures[kind].length - 1; length++) {
        expect(await outcome(pictures[kind].subarray(0, length))).toMatch(
          /^(nothing|unsupported-type)$/,
        )
      }
    },
  )

  test('a picture with any byte changed never breaks the parser', async () => {
    for (const whole of [...Object.values(pictures), jpegWith([0xe1, exif(6)])]) {
      for (let at = 0; at < whole.length; at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const bytes = Buffer.from(whole)
          bytes[at] = value
          expect(await outcome(bytes)).toMatch(/^(image|nothing|unsupported-type|too-large)$/)
        }
      }
    }
  })

  test('a PNG with any byte changed is refused', async () => {
    for (let at = 0; at < pictures.png.length; at++) {
      const bytes = Buffer.from(pictures.png)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(await outcome(bytes)).toMatch(/^(nothing|unsupported-type)$/)
    }
  })

  test.each([
    ['a page instead of its pixels', { packed: Buffer.from('<script>alert(1)</script>') }],
    ['a page after its pixels', { packed: Buffer.concat([black, Buffer.from('<script>')]) }],
    ['a missing row', { heightPx: 3, packed: black }],
    ['an extra row', { heightPx: 1, packed: black }],
    ['far more pixels than its header', { packed: deflateSync(Buffer.alloc(50_000_000)) }],
    ['an invalid filter', { rows: Buffer.alloc(2 * (1 + 4 * 9), 5) }],
    ['no pixels', { packed: Buffer.alloc(0) }],
  ])('a PNG with %s is refused', async (_what, odd) => {
    expect(await outcome(pngOf({ widthPx: 9, heightPx: 2 }))).toBe('image')
    expect(await outcome(pngOf({ widthPx: 9, heightPx: 2, ...odd }))).toBe('unsupported-type')
  })

  test('the pixels of an interlaced PNG are checked in seven passes', async () => {
    // At 3 × 2 pixels four passes are not empty, and each of their rows has a filter.
    const rowsBytes = 4 + 3 * 2 * 4
    const interlaced = { widthPx: 3, heightPx: 2, interlaced: true }
    expect(await outcome(pngOf({ ...interlaced, rows: Buffer.alloc(rowsBytes) }))).toBe('image')
    for (const odd of [rowsBytes - 1, rowsBytes + 1]) {
      const png = pngOf({ ...interlaced, rows: Buffer.alloc(odd) })
      expect(await outcome(png)).toBe('unsupported-type')
    }
  })

  test('a picture of more than 4096 pixels a side is refused before decoding', async () => {
    expect(await outcome(pngOf({ widthPx: 4096 }))).toBe('image')
    expect(await outcome(pngOf({ widthPx: 4097 }))).toBe('too-large')
    expect(await outcome(pngOf({ widthPx: 2 ** 32 - 1, rows: Buffer.alloc(0) }))).toBe('too-large')
    expect(await outcome(pngOf({ widthPx: 0 }))).toBe('unsupported-type')
    expect(await outcome(jpegOf({ widthPx: 4097, heightPx: 2 }))).toBe('too-large')
  })

  test('a JPEG with a header larger than its pixels is refused', async () => {
    expect(await outcome(jpegOf({ widthPx: 3, heightPx: 2 }))).toBe('image')
    expect(await outcome(jpegOf({ widthPx: 4000, heightPx: 3000 }))).toBe('unsupported-type')
  })

  test.each([0xc3, 0xc9])('a JPEG of a kind that no browser shows (%i) is refused', async kind => {
    const jpeg = Buffer.from(pictures.jpeg)
    jpeg[frameAt + 1] = kind
    expect(await outcome(jpeg)).toBe('unsupported-type')
  })

  test('an animation is refused', async () => {
    const film = Buffer.from(pictures.transparentWebp)
    film[20] = (film[20] ?? 0) | 0x02
    expect(await outcome(film)).toBe('unsupported-type')
    expect(
      await outcome(webpWith('ANMF', Buffer.concat([Buffer.alloc(16), Buffer.alloc(8)]))),
    ).toBe('image')
  })

  test('a WebP whose canvas differs in size from its pixels is refused', async () => {
    const webp = Buffer.from(pictures.transparentWebp)
    webp[24] = 200
    expect(await outcome(webp)).toBe('unsupported-type')
  })

  test('a WebP with an invalid pixel header is refused', async () => {
    const page = Buffer.from('<script>alert(1)</script>')
    expect(await outcome(riff(['VP8 ', page]))).toBe('unsupported-type')
    expect(await outcome(riff(['VP8L', Buffer.concat([Buffer.from([0x2f]), page])]))).toBe(
      'unsupported-type',
    )
    const cutOff = riff(['VP8 ', pictures.webp.subarray(20, 20 + 12)])
    expect(await outcome(cutOff)).toBe('unsupported-type')
  })

  test.each([
    ['of another size', Buffer.from([0, 255, 255])],
    ['with an unknown compression', Buffer.from([2, 0, 0, 0, 0, 0, 0])],
  ])('a WebP with a transparency %s is refused', async (_what, transparency) => {
    const canvas = pictures.transparentWebp.subarray(20, 30)
    const pixels = pictures.webp.subarray(20)
    const whole = Buffer.alloc(1 + 3 * 2)
    const webp = (alpha: Buffer) => riff(['VP8X', canvas], ['ALPH', alpha], ['VP8 ', pixels])
    expect(await outcome(webp(whole))).toBe('image')
    expect(await outcome(webp(transparency))).toBe('unsupported-type')
  })
})

/** Appends a chunk to the transparent WebP. */
function webpWith(type: string, content: Buffer): Buffer {
  const webp = Buffer.concat([pictures.transparentWebp, chunkOf(type, content)])
  webp.writeUInt32LE(webp.length - 8, 4)
  return webp
}

/** Builds a WebP from chunks. */
function riff(...chunks: [type: string, content: Buffer][]): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  const webp = Buffer.concat([head, ...chunks.map(([type, content]) => chunkOf(type, content))])
  webp.writeUInt32LE(webp.length - 8, 4)
  return webp
}

function chunkOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** Returns the JPEG with this size in its header. */
function jpegOf({ widthPx, heightPx }: { widthPx: number; heightPx: number }): Buffer {
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
