import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'
import { patience } from '#testing/patience.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

const drive = pitRace([{}, {}, { pitStopS: 90 }, {}, {}])
const [visit] = drive.visits
const swapMs = visit!.stop!.fromMs + 40_000

/** The phone that is taken out of the car stays in the garage. */
function inGarage(fixes: readonly Fix[], untilMs: number): Fix[] {
  const last = fixes.at(-1)!
  const seconds = Math.floor((untilMs - last.at) / 1000)
  return Array.from({ length: seconds }, (_, n) => ({
    ...last,
    at: last.at + (n + 1) * 1000,
    speedKmh: 0,
  }))
}

/** Two phones of one car, in a race that has started. Neither has reported yet. */
async function carWithPhones() {
  const { ana, leo } = scene
  const { team, session, car, theo } = await scene.newSessionWithRoster()
  const teamId = team.id
  const chosen = { carId: car.id, driverId: theo.id }
  const next = await ana.call.sessions.start({ teamId, name: 'Next phone', ...chosen })
  const length = { in: 'laps', laps: 100 } as const
  const race = { id: randomUUID(), name: 'Zolder', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  const startMs = (await startEarlier(scene.app, session)) + 1000
  await startEarlier(scene.app, next)
  await ana.call.races.start({ raceId: race.id, at: startMs })
  const stored = () => ana.call.carRaces.ofSession({ sessionId: session.id })
  const upload = {
    first: (fixes: readonly Fix[]) => uploadFixes(leo, session.id, fixes),
    next: (fixes: readonly Fix[]) => uploadFixes(ana, next.id, fixes),
  }
  return { session, next, theo, startMs, stored, upload }
}

/** Drives of several minutes are timed up to three times. */
const timeout = 40_000 * patience

test('the next phone takes over where it leaves the pits, in any order of its fixes', {
  timeout,
}, async () => {
  const found = []
  for (const order of ['first', 'next', 'mixed']) {
    const { session, next, theo, startMs, stored, upload } = await carWithPhones()
    const fixes = reportedFixes(drive, startMs)
    const before = fixes.filter(({ at }) => at < startMs + swapMs)
    const after = fixes.filter(({ at }) => at >= startMs + swapMs)
    const ofFirst = [...before, ...inGarage(before, fixes.at(-1)!.at)]
    const half = (all: readonly Fix[]) => [all.slice(all.length / 2), all.slice(0, all.length / 2)]
    const [[lateOfFirst, earlyOfFirst], [lateOfNext, earlyOfNext]] = [half(ofFirst), half(after)]
    if (order === 'first') await upload.first(ofFirst)
    if (order === 'mixed') {
      await upload.next(lateOfNext!)
      await upload.first(lateOfFirst!)
      await upload.next(earlyOfNext!)
      await upload.first(earlyOfFirst!)
    } else await upload.next(after)
    if (order === 'next') await upload.first(ofFirst)
    await expect
      .poll(async () => {
        clock.pass(2000)
        return (await stored()).runs.map(({ sessionId }) => sessionId)
      })
      .toEqual([session.id, next.id])
    const { runs, stints, ...rest } = await stored()
    expect(Math.abs(runs[1]!.from - startMs - visit!.endedAtMs)).toBeLessThan(30_000)
    expect(stints.map(({ driverId }) => driverId)).toEqual([expect.any(String), theo.id])
    const { laps, visits } = carRaceOf({ runs, stints, ...rest })
    expect(visits).toHaveLength(1)
    // The lap of the stop is one of two phones.
    expect(laps.map(({ number, sessionId }) => [number, sessionId])).toEqual([
      ...[0, 1, 2].map(number => [number, session.id]),
      ...[2, 3].map(number => [number, next.id]),
    ])
    found.push([runs[0]!.from, runs[1]!.from].map(at => at - startMs))
  }
  expect(found[1]).toEqual(found[0])
  expect(found[2]).toEqual(found[0])
})

test('a phone takes over from one that is silent, of which nothing arrives, and gives back', {
  timeout,
}, async () => {
  const { session, next, startMs, stored, upload } = await carWithPhones()
  // Both phones are in the car. That of Leo has a dead battery on its second lap, or no network.
  const fixes = reportedFixes(pitRace([{}, {}, {}, {}, {}, {}]), startMs)
  const until = (minute: number) => fixes.filter(({ at }) => at < startMs + minute * 60_000)
  const shown = async () => {
    clock.pass(2000)
    const { runs, unsure } = await stored()
    return { phones: runs.map(({ sessionId }) => sessionId), unsure }
  }
  const silentMs = until(3).at(-1)!.at
  await upload.first(until(3))
  await expect.poll(shown).toEqual({ phones: [session.id], unsure: [] })
  await upload.next(until(7))
  await expect.poll(shown).toEqual({ phones: [session.id], unsure: [next.id] })
  await upload.next(fixes.slice(until(7).length))
  await expect.poll(shown).toEqual({ phones: [session.id, next.id], unsure: [] })
  expect((await stored()).runs).toMatchObject([
    { until: silentMs },
    { from: silentMs, until: null },
  ])
  // It had no network: the car was not driven by another phone.
  await upload.first(fixes.slice(until(3).length))
  await expect.poll(shown).toEqual({ phones: [session.id], unsure: [] })
})
