import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { ReceivedFlags } from './receivedFlags.ts'

const at = (minutes: number) => minutes * minuteMs

/** The flag of the glass that was entered in this minute; null for a green that is too old for the glass. */
function byHand(flag: string | null, minute: number) {
  const since = at(minute)
  const feed = `entry ${minute}`
  const times = { since, enteredAt: since, seenAt: since, shownAt: null }
  return { feed, change: 1, flag, byHand: 'Ana', ...times }
}

test('a yellow by hand stays yellow after the green that ended it is old', () => {
  const flags = new ReceivedFlags()
  flags.add(byHand('Yellow', 10), at(10))
  flags.add(byHand('Green', 15), at(15))
  const words = () => flags.entered.map(({ flag }) => flag)
  expect(flags.add(byHand(null, 15), at(16.1))).toBe(false)
  expect(words()).toEqual(['Yellow', 'Green'])
  // The entry after the green was undone.
  flags.add(byHand('Yellow', 20), at(20))
  expect(flags.add(byHand(null, 15), at(21))).toBe(true)
  expect(words()).toEqual(['Yellow', 'Green'])
})

test('an old green by hand ends a yellow also if the phone did not receive it before', () => {
  const flags = new ReceivedFlags()
  flags.add(byHand('Yellow', 10), at(10))
  flags.add(byHand(null, 15), at(17))
  expect(flags.entered).toEqual([
    { flag: 'Yellow', at: at(10) },
    { flag: 'Green', at: at(15) },
  ])
})
