import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { liveScene } from '#testing/live/liveScene.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'

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

test('the next phone takes over where it leaves the pits, in any order of its fixes', async () => {
  const clock = heldClock()
  await using scene = await liveScene(clock)
  const { ana, leo } = scene
  const found = []
  for (const isNextFirst of [false, true]) {
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

    const fixes = reportedFixes(drive, startMs)
    const before = fixes.filter(({ at }) => at < startMs + swapMs)
    const after = fixes.filter(({ at }) => at >= startMs + swapMs)
    const first = () =>
      uploadFixes(leo, session.id, [...before, ...inGarage(before, fixes.at(-1)!.at)])
    const second = () => uploadFixes(ana, next.id, after)
    for (const upload of isNextFirst ? [second, first] : [first, second]) await upload()
    const stored = () => ana.call.carRaces.ofSession({ sessionId: session.id })
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
})
