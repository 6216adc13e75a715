import { expect, test } from 'vitest'
import { fitWord } from './fitWord.ts'

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
