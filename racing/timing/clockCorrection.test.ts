import { expect, test } from 'vitest'
import { hourMs } from '#contract/shared/durations.ts'
import { raceClock, raceTimes, type StoredRace } from '../race/raceClock.ts'
import { clockCorrection } from './clockCorrection.ts'

const now = 100 * hourMs
const race: StoredRace = {
  length: { in: 'time', ms: 6 * hourMs },
  startedAt: now - hourMs,
  pauses: [],
  endedAt: null,
}
const clock = (timeToGoMs: number | null, ageMs = 500) => ({
  timeToGoMs,
  lapsToGo: null,
  ageMs,
  leaderLaps: null,
})

test('a race whose start was pressed late follows the clock of race control', () => {
  const correction = clockCorrection(race, clock(5 * hourMs - 11_000), now)
  expect(correction).toEqual({
    kind: 'start',
    theirsMs: 5 * hourMs - 11_000,
    oursMs: 5 * hourMs,
    startedAt: now - hourMs - 11_000,
  })
  const startedAt = correction?.kind === 'start' ? correction.startedAt : null
  const corrected = { ...race, startedAt }
  expect(raceClock(raceTimes(corrected), now).leftMs).toBe(5 * hourMs - 11_000)
  // Without the feed it goes on.
  expect(raceClock(raceTimes(corrected), now + 60_000).leftMs).toBe(5 * hourMs - 71_000)
  expect(clockCorrection(corrected, clock(5 * hourMs - 11_000), now)).toBeNull()
})

test('a clock that shows no time to go is not followed', () => {
  expect(clockCorrection(race, clock(0, 100), now)).toBeNull()
})

test('a pause of the race clock counts', () => {
  const pauses = [{ from: now - 1_800_000, to: now - 1_200_000 }]
  const paused = { ...race, pauses }
  const correction = clockCorrection(paused, clock(5 * hourMs), now)
  const startedAt = correction?.kind === 'start' ? correction.startedAt : null
  expect(raceClock(raceTimes({ ...paused, startedAt }), now).leftMs).toBe(5 * hourMs)
})

test.each([
  ['agrees within two seconds', race, clock(5 * hourMs - 1900)],
  ['shows no time', race, clock(null)],
  ['has ended', race, clock(0, 600)],
  ['shows more than the whole race', race, clock(6 * hourMs + 10_000)],
  ['runs while ours is paused', { ...race, pauses: [{ from: now - 5, to: null }] }, clock(hourMs)],
  ['runs before ours', { ...race, startedAt: null }, clock(hourMs)],
  ['runs after ours', { ...race, endedAt: now - 5 }, clock(hourMs)],
] as const)('nothing is followed if race control %s', (_, stored, official) => {
  expect(clockCorrection(stored, official, now)).toBeNull()
})

test('a race over laps follows the laps that the leader has driven and has to go', () => {
  const laps: StoredRace = { ...race, length: { in: 'laps', laps: 100 } }
  const official = { timeToGoMs: null, lapsToGo: 38, ageMs: 500, leaderLaps: 60 }
  expect(clockCorrection(laps, official, now)).toEqual({ kind: 'laps', theirs: 98, ours: 100 })
  expect(clockCorrection(laps, { ...official, lapsToGo: 39 }, now)).toBeNull()
  expect(clockCorrection(laps, { ...official, leaderLaps: null }, now)).toBeNull()
})

test.each([
  ['zeros', 0, 0],
  ['zeros for a leader who has lost a lap', 0, -1],
  ['more laps than any race has', 100_000, 3],
])('a race over laps does not follow %s', (_, lapsToGo, leaderLaps) => {
  const laps: StoredRace = { ...race, length: { in: 'laps', laps: 100 } }
  const official = { timeToGoMs: null, lapsToGo, ageMs: 500, leaderLaps }
  expect(clockCorrection(laps, official, now)).toBeNull()
})
