// Computes whether a driver can read the screen at 1 m: the height of letters as an angle, and their contrast at night
// and in the sun.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '')

const tokens = new Map(
  [...read('../ui/theme/tokens.css').matchAll(/(--[\w-]+):\s*([^;]+);/g)]
    .toReversed()
    .map(([, name = '', value = '']) => [name, value]),
)

/** The smallest phone in use: 375 × 667 px, 58.5 mm wide. */
const widthPx = 375
const heightPx = 667
const mmPerPx = 58.5 / widthPx
const distanceMm = 1000

/** Height of capitals and digits of the font, in sizes of the font. */
const capHeight = 0.686

/**
 * Heights of letters in arc minutes. ISO 15008 (displays in road vehicles) recommends 20, used for figures here, and
 * requires 12, used for labels.
 */
const recommendedMinutes = 20
const leastMinutes = 12

function minutesOf(px: number): number {
  return (Math.atan((px * capHeight * mmPerPx) / distanceMm) * 180 * 60) / Math.PI
}

/** Returns a font size in px, on the smallest phone. */
function pxOf(size: string, { isLandscape }: { isLandscape: boolean }): number {
  const [wide, high] = isLandscape ? [heightPx, widthPx] : [widthPx, heightPx]
  const all = [...size.matchAll(/([\d.]+)(cqw|cqh|rem)/g)].map(([, number, unit]) => {
    if (unit === 'rem') return Number(number) * 16
    return (Number(number) / 100) * (unit === 'cqw' ? wide : high)
  })
  return Math.min(...all)
}

/** Returns the font sizes of a style sheet, with their selectors. */
function sizesIn(file: string) {
  const css = read(file)
  const landscapeAt = css.indexOf('@container (orientation: landscape)')
  return [...css.matchAll(/([^{};]+)\{[^{}]*?font-size:\s*([^;]+);/g)].map(match => {
    const [, selector = '', value = ''] = match
    const size = tokens.get(/^var\((--[\w-]+)\)$/.exec(value)?.[1] ?? '') ?? value
    const px = pxOf(size, { isLandscape: match.index > landscapeAt })
    // The unit of a figure is a label. Three gaps share the room of one figure.
    const isUnit = /^\.laps small$|\.gaps:has\(> :nth-child\(5\)\) b$/.test(selector.trim())
    // On a phone that is lower still the speed is beside the rest of the stint, as high as a label.
    const isLow = /max-height/.test(
      css.slice(css.lastIndexOf('@container', match.index), match.index),
    )
    const isFoot = selector.trim().endsWith('.foot b') && !isLow
    const isFigure = (size.includes('cq') && !isUnit) || isFoot
    return { file, selector: selector.trim(), isFigure, minutes: minutesOf(px) }
  })
}

const sizes = [
  'LapBoardView.module.css',
  '../drive/StintSlots.module.css',
  '../drive/GlassPlace.module.css',
  '../race/StopScreen.module.css',
].flatMap(sizesIn)

test('figures are 20 arc minutes high at 1 m, labels 12', () => {
  expect(sizes.length).toBeGreaterThan(50)
  const figures = sizes.filter(({ isFigure }) => isFigure)
  expect(figures.length).toBeGreaterThan(10)
  expect(figures.filter(({ minutes }) => minutes < recommendedMinutes)).toEqual([])
  expect(sizes.filter(({ minutes }) => minutes < leastMinutes)).toEqual([])
  // Lap and delta are higher still.
  const board = figures.filter(({ selector }) => /\.(last|delta) \.figure$/.test(selector))
  expect(board).toHaveLength(14)
  expect(Math.min(...board.map(({ minutes }) => minutes))).toBeGreaterThan(1.5 * recommendedMinutes)
})

/** Relative luminance of a colour, as WCAG 2 defines it. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Luminances in cd/m²: a phone at full brightness, and the 2 % of 50,000 lx of sunlight that its glass reflects. */
const brightestCd = 800
const reflectedCd = (0.02 * 50_000) / Math.PI

test.each(['--board-ink', '--board-ink-2', '--lap-fast', '--lap-slow'])(
  '%s on the board has a contrast of 7 at night and 2 in the sun',
  name => {
    expect(tokens.get('--board')).toBe('#000000')
    const luminance = luminanceOf(tokens.get(name) ?? '')
    // WCAG AAA asks for 7; guidelines for car displays ask for 4.5 or 5 at night, and 2 in direct sunlight.
    expect((luminance + 0.05) / 0.05).toBeGreaterThan(7)
    expect((luminance * brightestCd + reflectedCd) / reflectedCd).toBeGreaterThan(2)
  },
)
