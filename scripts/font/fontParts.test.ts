import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openFont } from './openFont.mjs'

const parts = [
  await openFont('web/ui/theme/fonts/archivo-basic.woff2'),
  await openFont('web/ui/theme/fonts/archivo-rest.woff2'),
]
const whole = await openFont(
  'node_modules/@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
)
const css = readFileSync('web/ui/theme/fonts/fonts.css', 'utf8')
// Apart from those of the fallback font, which is installed.
const ranges = [...css.matchAll(/woff2[^}]*unicode-range:([^;]+);/g)]
  .map(([, list = '']) => rangesIn(list))
  .reverse()

function rangesIn(list: string) {
  return [...list.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)].map(([, from = '', to = from]) => ({
    from: Number.parseInt(from, 16),
    to: Number.parseInt(to, 16),
  }))
}

const isIn = (code: number, part: number) =>
  ranges[part]?.some(({ from, to }) => code >= from && code <= to) === true

test('each Latin character is in the part whose range contains it', () => {
  const missing = whole.characterSet.filter(
    code =>
      isIn(code, 0) === isIn(code, 1) || !parts[isIn(code, 0) ? 0 : 1]?.hasGlyphForCodePoint(code),
  )
  // Vietnamese, which the package's other files cover, and no character.
  expect(missing).toEqual([0x102, 0x300, 0x301, 0x303, 0x309, 0x323, 0xffff])
})

test.each([
  [430, 100],
  [640, 62],
  [720, 112],
])('weight %i and width %i have the advances of the package', (wght, wdth) => {
  const variation = { wght, wdth }
  for (const [part, text] of ['Pit wall 0123456789', 'ÄÉñøß€'].entries()) {
    const ours = parts[part]?.getVariation(variation).layout(text)
    const theirs = whole.getVariation(variation).layout(text)
    for (const [index, { xAdvance }] of theirs.positions.entries())
      expect(Math.abs((ours?.positions[index]?.xAdvance ?? 0) - xAdvance)).toBeLessThan(2)
  }
})

test('figures of equal width are available', () => {
  expect(parts[0]?.availableFeatures).toContain('tnum')
})
