import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import { raceClock, raceTimes, type StoredRace } from '../race/raceClock.ts'
import { followedRace } from './followedRace.ts'

const start = 100 * hourMs
const race: StoredRace = {
  length: { in: 'time', ms: 6 * hourMs },
  startedAt: start,
  pauses: [],
  endedAt: null,
}

/** Follows a clock that shows `toGoAt` each second of some minutes of the race. Returns the race after each of `stops`. */
function followed(toGoAt: (ms: number) => number, fromMs: number, ...stops: number[]) {
  let [followedUntilNow, shown, changedAt] = [race, 0, 0]
  const results: StoredRace[] = []
  for (let ms = fromMs; ms <= Math.max(...stops); ms += 1000) {
    const timeToGoMs = toGoAt(ms)
    if (timeToGoMs !== shown) changedAt = ms
    shown = timeToGoMs
    const stillForMs = ms - changedAt
    const official = { timeToGoMs, lapsToGo: null, leaderLaps: null, ageMs: 200, stillForMs }
    const at = { nowMs: start + ms + 200, isFirst: false }
    followedUntilNow = { ...followedUntilNow, ...followedRace(followedUntilNow, official, at) }
    if (stops.includes(ms)) results.push(followedUntilNow)
  }
  return results
}

const leftMs = (of: StoredRace, ms: number) => raceClock(raceTimes(of), start + ms).leftMs ?? 0
const running = (ms: number) => Math.floor((6 * hourMs - ms) / 1000) * 1000

test('the race clock stands still while race control has stopped its clock', () => {
  const redMs = hourMs
  const greenMs = redMs + 20 * minuteMs
  const toGo = (ms: number) => running(Math.max(Math.min(ms, redMs), ms - greenMs + redMs))
  const stops = [redMs + 10 * minuteMs, greenMs + 20 * minuteMs] as const
  const [red, green] = followed(toGo, 50 * minuteMs, ...stops)
  if (!red || !green) throw new Error('not followed')
  expect(red.pauses).toHaveLength(1)
  expect(red.pauses[0]?.to).toBeNull()
  expect(Math.abs(leftMs(red, stops[0]) - 5 * hourMs)).toBeLessThan(2000)
  expect(green).toMatchObject({ length: race.length, startedAt: start })
  expect(green.pauses).toHaveLength(1)
  expect(Math.abs(leftMs(green, stops[1]) - toGo(stops[1]))).toBeLessThan(2000)
})

test('a race that race control extends is longer, and a shortened one shorter', () => {
  for (const byMs of [10 * minuteMs, -45 * minuteMs]) {
    const toGo = (ms: number) => running(ms) + (ms < 2 * hourMs ? 0 : byMs)
    const [after] = followed(toGo, hourMs, 2 * hourMs + minuteMs)
    expect(after).toMatchObject({ startedAt: start, pauses: [] })
    const { length } = after ?? {}
    const ms = length?.in === 'time' ? length.ms : 0
    expect(Math.abs(ms - 6 * hourMs - byMs)).toBeLessThanOrEqual(1000)
  }
})

test('at the confirmation any difference comes from the start', () => {
  const clock = {
    timeToGoMs: 4 * hourMs,
    lapsToGo: null,
    leaderLaps: null,
    ageMs: 0,
    stillForMs: 0,
  }
  const at = { nowMs: start + hourMs, isFirst: true }
  expect(followedRace(race, clock, at)).toMatchObject({
    startedAt: start - hourMs + 500,
    length: race.length,
  })
  // A race of nine hours to go is longer than planned: it cannot start later than now.
  const longer = followedRace(race, { ...clock, timeToGoMs: 9 * hourMs }, at)
  expect(longer).toMatchObject({ startedAt: start, length: { ms: 10 * hourMs + 1000 } })
})

test('without a current clock the race goes on by itself', () => {
  const paused = { ...race, pauses: [{ from: start + hourMs, to: null }] }
  const at = { nowMs: start + 2 * hourMs, isFirst: false }
  expect(followedRace(paused, null, at)?.pauses).toEqual([
    { from: start + hourMs, to: start + 2 * hourMs },
  ])
  expect(followedRace(race, null, at)).toBeNull()
  const between = { timeToGoMs: 0, lapsToGo: null, leaderLaps: null, ageMs: 0, stillForMs: 9e5 }
  expect(followedRace(race, between, at)).toBeNull()
  expect(followedRace({ ...race, endedAt: start + 5 }, between, at)).toBeNull()
})

test('a race over laps follows their number', () => {
  const laps: StoredRace = { ...race, length: { in: 'laps', laps: 100 } }
  const official = { timeToGoMs: null, lapsToGo: 20, leaderLaps: 60, ageMs: 0, stillForMs: 9e5 }
  const at = { nowMs: start + hourMs, isFirst: false }
  expect(followedRace(laps, official, at)).toMatchObject({ length: { laps: 80 }, pauses: [] })
})

test('once the time is up the clock of the next run is not followed', () => {
  const nextRun = { lapsToGo: null, leaderLaps: null, ageMs: 0, timeToGoMs: hourMs / 2 }
  const at = { nowMs: start + 6 * hourMs + minuteMs, isFirst: false }
  for (const stillForMs of [0, minuteMs])
    expect(followedRace(race, { ...nextRun, stillForMs }, at)).toBeNull()
  expect(followedRace(race, { ...nextRun, stillForMs: 0 }, { ...at, isFirst: true })).not.toBeNull()
})

test('the confirmation moves the start also between two changes of the clock', () => {
  const official = {
    lapsToGo: null,
    leaderLaps: null,
    ageMs: 0,
    timeToGoMs: 4 * hourMs,
    stillForMs: 1500,
  }
  const at = { nowMs: start + hourMs, isFirst: true }
  const followed = followedRace(race, official, at)
  expect(followed).toMatchObject({ length: race.length, pauses: [] })
  expect(Math.abs(start - hourMs - (followed?.startedAt ?? 0))).toBeLessThan(2000)
})

test('a stopped clock is one pause, also if its feed is silent at times', () => {
  let red: StoredRace = race
  for (let ms = hourMs; ms < hourMs + 30 * minuteMs; ms += 5000) {
    const isSilent = (ms / 5000) % 2 === 1
    const stillForMs = ms - hourMs + 4000
    const timeToGoMs = 5 * hourMs + 3500
    const official = { timeToGoMs, lapsToGo: null, leaderLaps: null, ageMs: 0, stillForMs }
    const at = { nowMs: start + ms, isFirst: false }
    red = { ...red, ...followedRace(red, isSilent ? null : official, at) }
  }
  expect(red).toMatchObject({ startedAt: start, length: race.length })
  expect(red.pauses).toEqual([{ from: start + hourMs - 4000, to: expect.any(Number) }])
})
