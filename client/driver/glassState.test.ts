import { expect, test } from 'vitest'
import type { GlassFlag } from '#contract/glass.ts'
import { glassState } from './glassState.ts'

const flag: GlassFlag = {
  feed: 'f',
  change: 3,
  flag: 'Green ',
  since: 10_000,
  seenAt: 20_000,
  shownAt: null,
}
const official = { flag, place: { seenAt: 21_000 } }
const race = (glass?: ('flag' | 'place' | 'faster')[], officialTiming = true) => ({
  officialTiming,
  ...(glass && { glass }),
})

test('only parts that the team has chosen are shown', () => {
  expect(glassState(official, race(['flag']), 20_000)).toEqual({ flag, place: undefined })
  expect(glassState(official, race(['faster']), 20_000)).toEqual({
    flag: undefined,
    place: official.place,
  })
  const none = { flag: undefined, place: undefined }
  expect(glassState(official, race(), 20_000)).toEqual(none)
  // Without a source, and before the race has loaded.
  expect(glassState(official, race(['flag', 'place'], false), 20_000)).toEqual(none)
  expect(glassState(official, undefined, 20_000)).toEqual(none)
})

test("a part is known for five seconds after its line, by the server's time", () => {
  const both = race(['flag', 'place'])
  const unknown = { flag: null, place: null }
  expect(glassState(null, both, 20_000)).toEqual(unknown)
  expect(glassState(official, both, null)).toEqual(unknown)
  expect(glassState(official, both, 25_000)).toEqual({ flag, place: official.place })
  expect(glassState(official, both, 25_001)).toEqual({ flag: null, place: official.place })
  expect(glassState(official, both, 26_001)).toEqual(unknown)
})

test('an old green by hand is not shown, and not in doubt', () => {
  const byHand = { ...flag, byHand: 'Ana', enteredAt: 10_000 }
  const shown = (word: string | null) =>
    glassState({ ...official, flag: { ...byHand, flag: word } }, race(['flag']), 20_000).flag
  expect(shown('Yellow')).toMatchObject({ flag: 'Yellow' })
  expect(shown(null)).toBeUndefined()
  // A source that shows none does not mean green.
  const none = { ...official, flag: { ...flag, flag: null } }
  expect(glassState(none, race(['flag']), 20_000).flag).toMatchObject({ flag: null })
})
