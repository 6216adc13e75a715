import { expect, test } from 'vitest'
import { lapTimingStopReasons, lapTimingStops } from './lapTimingStops.ts'
import { detailSentences, isDetail } from './refusalDetails.ts'
import { refusals } from './refusals.ts'
import { maxRowsOfStatement, pages, storedBounds } from './storedBounds.ts'

interface Bound {
  max: number
  refusal?: string
  replaces?: string
  stops?: string
}

const all = Object.entries<Bound>(storedBounds)
const refusing = all.flatMap(([what, { max, refusal }]) =>
  refusal ? [{ what, max, refusal }] : [],
)

/** A code, or a detail whose sentence names the number. */
function isSentenceOf({ max, refusal }: { max: number; refusal: string }): boolean {
  if (!isDetail(refusal)) return Object.hasOwn(refusals, refusal)
  const number = max >= 1e6 ? `${max / 1e6} million` : max.toLocaleString('en')
  return detailSentences[refusal].includes(number)
}

test.each(refusing)('one of $what too many is refused with a sentence', bound => {
  expect(isSentenceOf(bound)).toBe(true)
})

test('each bound states what happens beyond it', () => {
  const silent = all.filter(([, { refusal, replaces, stops }]) => !refusal && !replaces && !stops)
  expect(silent).toEqual([])
})

test('a bound that stops lap timing has a reason that names its number', () => {
  const reasons = all.flatMap(([, { max, stops }]) =>
    stops ? [{ reason: lapTimingStops.find(stop => stop === stops), max }] : [],
  )
  expect(reasons).toHaveLength(2)
  for (const { reason, max } of reasons)
    expect(reason && lapTimingStopReasons[reason]).toContain(max.toLocaleString('en'))
})

test('a list that is read whole has at most as many rows as a statement may return', () => {
  const paged = ['sessions', 'importedPositions']
  const larger = all.filter(([what, { max }]) => max > maxRowsOfStatement && !paged.includes(what))
  expect(larger).toEqual([])
  expect(Math.max(...Object.values(pages))).toBeLessThan(maxRowsOfStatement)
})
