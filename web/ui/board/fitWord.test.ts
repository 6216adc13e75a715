import { expect, test } from 'vitest'
import { fitLines, fitWord, lineEm } from './fitWord.ts'

/** Letters of which each is half an em wide at 100 percent. */
const lettersOf = (count: number) => (percent: number) => (count * 0.5 * percent) / 100

test.each([
  [{ widthPx: 370, heightPx: 380 }, 1],
  [{ widthPx: 370, heightPx: 380 }, 4],
  [{ widthPx: 370, heightPx: 380 }, 10],
  [{ widthPx: 390, heightPx: 240 }, 3],
])('a word in %o with %i letters fills one side and leaves neither', (stage, count) => {
  const { sizePx, widthPercent } = fitWord(stage, lettersOf(count))
  const inkWidthPx = lettersOf(count)(widthPercent) * sizePx
  const inkHeightPx = sizePx * 0.8
  expect(inkWidthPx).toBeLessThanOrEqual(stage.widthPx + 0.001)
  expect(inkHeightPx).toBeLessThanOrEqual(stage.heightPx + 0.001)
  const fills = Math.max(inkWidthPx / stage.widthPx, inkHeightPx / stage.heightPx)
  expect(fills).toBeGreaterThan(0.97)
})

test('letters without a width axis are made smaller instead', () => {
  const { sizePx } = fitWord({ widthPx: 300, heightPx: 400 }, () => 10)
  expect(sizePx).toBe(30)
})

test.each([
  [2.2, false],
  [2.6, true],
])('a short word of %s em stays on one line unless two make it much larger', (oneEm, isBroken) => {
  const stage = { widthPx: 363, heightPx: 388 }
  const fit = fitLines(stage, 2, (_percent, broken) => (broken ? 1.35 : oneEm))
  expect(fit.isBroken).toBe(isBroken)
})

test('two words are stacked on a high screen and side by side on a wide one', () => {
  const measure = (percent: number, isBroken: boolean) => lettersOf(isBroken ? 4 : 9)(percent)
  const high = { widthPx: 363, heightPx: 380 }
  const broken = fitLines(high, 2, measure)
  expect(broken.isBroken).toBe(true)
  expect((lineEm + 0.8) * broken.sizePx).toBeLessThanOrEqual(high.heightPx + 0.001)
  expect(measure(broken.widthPercent, true) * broken.sizePx).toBeLessThanOrEqual(
    high.widthPx + 0.001,
  )
  const wide = fitLines({ widthPx: 770, heightPx: 240 }, 2, measure)
  expect(wide).toMatchObject({ isBroken: false })
  expect(wide).toMatchObject(fitWord({ widthPx: 770, heightPx: 240 }, lettersOf(9)))
})
