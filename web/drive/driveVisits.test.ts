import { expect, test } from 'vitest'
import { ServerClock } from '#client/serverClock.ts'
import type { Fix } from '#contract/positions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'
import { DrivenLaps } from './drivenLaps.ts'

const startMs = 1_700_000_000_000
const race = pitRace([{}, {}, { pitStopS: 90 }, {}, {}], { whiteM: 1, accuracyM: 4 })
const fixes = reportedFixes(race, startMs)
const [truth] = race.visits
const inAt = startMs + truth!.startedAtMs
const outAt = startMs + truth!.endedAtMs
const standsAt = startMs + truth!.stop!.fromMs

/** A page of the phone in the car, with what an earlier page stored. */
async function page(stored: Map<string, string>, unsent: readonly Fix[] = []) {
  const clock = {
    now: () => startMs,
    monotonicMs: () => 0,
    after: () => () => undefined,
    every: () => () => undefined,
  }
  const serverClock = new ServerClock(clock, 0, 'page')
  serverClock.addSample(startMs, serverClock.request(), 0)
  const store = {
    read: (key: string) => stored.get(key) ?? null,
    write: (key: string, text: string) => void stored.set(key, text),
    remove: (key: string) => void stored.delete(key),
  }
  const laps = new DrivenLaps({ sessionId: 's1', serverClock, store })
  laps.setCircuit({ id: 'c1', version: 1, outline: zolder.outline, line: zolder.startFinish })
  await laps.recover(unsent, new AbortController().signal)
  return laps
}

function between(fromAt: number, untilAt: number): Fix[] {
  return fixes.filter(({ at }) => at >= fromAt && at < untilAt)
}

test('the phone finds its visit to the pits by itself, within 3 s of the truth', async () => {
  const laps = await page(new Map())
  for (const fix of between(0, standsAt + 30_000)) laps.add(fix)
  const [open] = laps.visits
  expect(laps.visits).toHaveLength(1)
  expect(Math.abs(open!.startedAt - inAt)).toBeLessThan(3000)
  expect(open).toMatchObject({ endedAt: null, leftAt: null })
  expect(Math.abs(open!.stoppedAt! - standsAt)).toBeLessThan(1500)
  for (const fix of between(standsAt + 30_000, outAt + 40_000)) laps.add(fix)
  expect(Math.abs(laps.visits[0]!.endedAt! - outAt)).toBeLessThan(3000)
  // The line is inside the pit lane: the visit is longer than the rest of its lap.
  expect(laps.laps.at(-1)).toMatchObject({ kind: 'in' })
})

test('a visit survives a reload without a network, and ends at racing speed', async () => {
  const stored = new Map<string, string>()
  const before = await page(stored)
  for (const fix of between(0, standsAt + 30_000)) before.add(fix)
  const after = await page(stored)
  expect(after.visits).toEqual(before.visits)
  for (const fix of between(standsAt + 35_000, outAt - 1000)) after.add(fix)
  expect(after.visits).toMatchObject([{ startedAt: before.visits[0]!.startedAt, endedAt: null }])
  for (const fix of between(outAt - 1000, outAt + 40_000)) after.add(fix)
  expect(after.visits[0]!.endedAt).toBeGreaterThan(outAt)
  expect(after.visits[0]!.endedAt).toBeLessThan(outAt + 8000)
})

test('the start that the server knows counts, and listeners are notified of it', async () => {
  const laps = await page(new Map())
  for (const fix of between(0, standsAt + 30_000)) laps.add(fix)
  let changes = 0
  laps.onChange(() => {
    changes += 1
  })
  const [own] = laps.visits
  const server = { startedAt: own!.startedAt - 700, endedAt: null, stoppedAt: null, leftAt: null }
  laps.setVisits([server])
  expect(laps.visits).toEqual([{ ...own, startedAt: server.startedAt }])
  expect(changes).toBe(1)
  laps.setVisits([server])
  expect(changes).toBe(1)
})
