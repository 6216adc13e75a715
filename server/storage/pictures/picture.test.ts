import { describe, expect, test } from 'vitest'
import { exifOf, jpegWith, pictures, pngOfWidth, pngWith } from '#testing/pictures.ts'
import { orientationIn } from './exif.ts'
import { readPicture } from './picture.ts'

const place = '50.4372N 5.9714E'
const exif = (orientation = 1) => exifOf({ place, orientation })

describe('what it is', () => {
  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['losslessWebp', 'image/webp'],
    ['transparentWebp', 'image/webp'],
  ] as const)('a %s is known by its content, and passes untouched', (kind, contentType) => {
    expect(readPicture(pictures[kind])).toEqual({
      contentType,
      widthPx: 3,
      heightPx: 2,
      bytes: pictures[kind],
    })
  })

  test.each([
    ['nothing', ''],
    ['text', 'Stint plan'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a GIF', 'GIF89a\u0001\0\u0001\0'],
    ['a sound in RIFF', 'RIFF\0\0\0\0WAVE'],
  ])('%s is no picture', (_what, text) => {
    expect(readPicture(Buffer.from(text, 'latin1'))).toBeNull()
  })
})

describe('what it tells of the one who took it', () => {
  const clean = (bytes: Buffer) => {
    expect(bytes.toString('latin1')).toContain(place)
    return readPicture(bytes)?.bytes
  }
  const text = Buffer.from(place, 'latin1')

  test('is dropped from a JPEG: EXIF, XMP, previews, comments', () => {
    const jpeg = jpegWith(
      [0xe1, exif()],
      [0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), text])],
      [0xe2, Buffer.concat([Buffer.from('MPF\0'), text])],
      [0xe0, Buffer.concat([Buffer.from('JFXX\0'), text])],
      [0xed, text],
      [0xfe, text],
    )
    expect(clean(jpeg)).toEqual(pictures.jpeg)
  })

  test('is dropped from behind the end of a JPEG, where phones hang films', () => {
    expect(clean(Buffer.concat([pictures.jpeg, jpegWith([0xe1, exif()])]))).toEqual(pictures.jpeg)
  })

  test('is dropped from the preview in a JFIF header', () => {
    const jfif = Buffer.from(pictures.jpeg.subarray(4 + 2, 4 + 16))
    jfif[12] = 1
    jfif[13] = 6
    const withoutHeader = Buffer.concat([pictures.jpeg.subarray(0, 2), pictures.jpeg.subarray(20)])
    const head = Buffer.from([0xff, 0xe0, 0, 2 + 14 + 18])
    const preview = Buffer.concat([head, jfif, text.subarray(0, 16), Buffer.alloc(2)])
    expect(
      clean(Buffer.concat([withoutHeader.subarray(0, 2), preview, withoutHeader.subarray(2)])),
    ).toEqual(pictures.jpeg)
  })

  test.each(['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'acTL', 'prVt'])(
    'is dropped from the %s chunk of a PNG',
    type => {
      expect(clean(pngWith(type, text))).toEqual(pictures.png)
    },
  )

  test('is dropped from behind the end of a PNG', () => {
    expect(clean(Buffer.concat([pictures.png, text]))).toEqual(pictures.png)
  })

  test.each(['EXIF', 'XMP '])('is dropped from the %s chunk of a WebP', type => {
    const webp = webpWith(type, text)
    webp[20] = (webp[20] ?? 0) | 0x0c
    expect(clean(webp)).toEqual(pictures.transparentWebp)
  })

  test('is dropped from behind the end of a WebP', () => {
    expect(clean(Buffer.concat([pictures.webp, text]))).toEqual(pictures.webp)
  })

  test.each([2, 3, 6, 8])('but a JPEG that is to be turned (%i) stays so', orientation => {
    const cleaned = clean(jpegWith([0xe1, exif(orientation)]))!
    expect(cleaned.toString('latin1')).not.toContain(place)
    const length = cleaned.readUInt16BE(4)
    expect(cleaned.subarray(2, 4)).toEqual(Buffer.from([0xff, 0xe1]))
    expect(orientationIn(cleaned.subarray(6, 4 + length))).toBe(orientation)
    expect(cleaned.subarray(4 + length)).toEqual(pictures.jpeg.subarray(2))
    expect(readPicture(cleaned)?.bytes).toEqual(cleaned)
  })

  test('and its colours keep their profile', () => {
    const profile = Buffer.from('ICC_PROFILE\0\u0001\u0001colours', 'latin1')
    const jpeg = jpegWith([0xe2, profile])
    expect(readPicture(jpeg)?.bytes).toEqual(jpeg)
    const png = pngWith('iCCP', profile)
    expect(readPicture(png)?.bytes).toEqual(png)
  })
})

describe('what could harm', () => {
  test.each(['png', 'jpeg', 'webp', 'losslessWebp', 'transparentWebp'] as const)(
    'a %s that was cut off anywhere is refused, or is no picture',
    kind => {
      for (let length = 0; length < pictures[kind].length - 1; length++) {
        expect(outcome(pictures[kind].subarray(0, length))).toMatch(/^(nothing|unsupported-type)$/)
      }
    },
  )

  test('a picture with any byte changed never breaks the reader', () => {
    for (const whole of [...Object.values(pictures), jpegWith([0xe1, exif(6)])]) {
      for (let at = 0; at < whole.length; at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const bytes = Buffer.from(whole)
          bytes[at] = value
          expect(outcome(bytes)).toMatch(/^(image|nothing|unsupported-type|too-large)$/)
        }
      }
    }
  })

  test('a picture that would unfold to more than 8000 pixels a side is refused', () => {
    expect(outcome(pngOfWidth(8000))).toBe('image')
    expect(outcome(pngOfWidth(8001))).toBe('too-large')
    expect(outcome(pngOfWidth(2 ** 32 - 1))).toBe('too-large')
    expect(outcome(pngOfWidth(0))).toBe('unsupported-type')
  })

  test('a film is refused', () => {
    const film = Buffer.from(pictures.transparentWebp)
    film[20] = (film[20] ?? 0) | 0x02
    expect(outcome(film)).toBe('unsupported-type')
    expect(outcome(webpWith('ANMF', Buffer.concat([Buffer.alloc(16), Buffer.alloc(8)])))).toBe(
      'image',
    )
  })

  test('a WebP whose canvas is another size than its pixels is refused', () => {
    const webp = Buffer.from(pictures.transparentWebp)
    webp[24] = 200
    expect(outcome(webp)).toBe('unsupported-type')
  })
})

/** The transparent WebP with a chunk at its end. */
function webpWith(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  const webp = Buffer.concat([pictures.transparentWebp, head, content])
  webp.writeUInt32LE(webp.length - 8, 4)
  return webp
}

function outcome(bytes: Buffer): string {
  try {
    return readPicture(bytes) ? 'image' : 'nothing'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}
