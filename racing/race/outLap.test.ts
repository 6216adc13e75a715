import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { trackOf } from '#contract/shared/track.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { driveRace } from '#testing/races.ts'
import { TimedPhone } from '#testing/simulation/swaps/timedPhone.ts'
import { carPlan } from './carPlan.ts'
import { carRaceOf } from './carRace.ts'
import { carStrategy } from './carStrategy.ts'
import { planSheet } from './planSheet.ts'
import { currentLap } from './raceResult.ts'

const circuit = { id: 'zolder', outline: zolder.outline, line: zolder.startFinish }
const lapM = trackOf(flyingLap(zolder.outline)).lengthM

/** The box is 60 m after the line, which the pit lane passes. Each of two stops has a driver change and a full tank. */
const race = driveRace({
  outline: zolder.outline,
  laps: Array.from({ length: 15 }, (_, lap) => {
    return { pace: 0.86, ...((lap === 4 || lap === 10) && { pitStopS: 40 }) }
  }),
  pits: { inM: lapM - 400, outM: lapM + 320, besideM: 18, limitMps: 58 / 3.6, boxM: lapM + 60 },
  whiteM: 1,
  startShare: 0.98,
})
const stops = race.visits.map(({ endedAtMs, stop }) => ({ ...stop!, endedAtMs }))

/** The race of the car as it is known with the positions until a time. */
function carAt(nowMs: number, { laps, visits }: TimedPhone) {
  const phone = { sessionId: 's1', startedAt: 0, endedAt: null, leftPitsAt: [], laps, visits }
  const changes = stops.map(({ fromMs }) => fromMs + 10_000).filter(at => at <= nowMs)
  return carRaceOf({
    ...drivenCar(),
    car: { tankL: 20, reserveL: 2, burnL: 2 },
    race: {
      startedAt: 2000,
      endedAt: null,
      pauses: [],
      length: { in: 'time', ms: 28 * minuteMs },
      rules: { ...noRules, maxStintMs: 20 * minuteMs },
    },
    plan: { driverIds: ['ana', 'ben', 'cem'], stopMs: minuteMs, lapMs: 105_000, stints: [] },
    drivers: ['ana', 'ben', 'cem'].map(id => ({ id, archived: false })),
    phones: [{ ...phone, lastFixAt: nowMs }],
    stints: [0, ...changes].map((from, index) => ({
      id: `${index}`,
      sessionId: 's1',
      driverId: ['ana', 'ben', 'cem'][index] ?? null,
      from,
      to: changes[index] ?? null,
    })),
    fills: stops
      .map(({ fromMs }) => ({ at: fromMs + 30_000, litres: 9, kind: 'full' as const }))
      .filter(({ at }) => at <= nowMs),
  })
}

test('from the fill on, each second of the out lap has the figures of the new stint', () => {
  const phone = new TimedPhone(circuit)
  const called: (number | null)[][] = stops.map(() => [])
  for (const { atMs: at, latitude, longitude, speedMps } of race.fixes) {
    const speedKmh = speedMps === null ? null : speedMps * kmhPerMps
    phone.add([{ at, latitude, longitude, speedKmh, accuracyM: 5 }])
    const index = stops.findIndex(({ fromMs, endedAtMs }) => {
      return at > fromMs + 31_000 && at < endedAtMs + minuteMs
    })
    if (index === -1) continue
    const car = carAt(at, phone)
    const { fuel, lapsToPit } = carStrategy(car, at)
    expect(currentLap(car)).toBe(race.crossingsMs.filter(ms => ms <= at).length)
    // 100 m of the lane, then at most a minute of a lap of 2 L.
    expect(fuel?.leftL).toBeLessThanOrEqual(20)
    expect(fuel?.leftL).toBeGreaterThan(18.7)
    called[index]!.push(lapsToPit)
    const { stints } = planSheet(car, carPlan(car, at)!)
    expect(stints).toHaveLength(3)
    expect(stints.slice(0, index + 1).map(({ laps }) => laps)).toEqual([4, 6].slice(0, index + 1))
  }
  // Ten laps to go after the first stop, three after the second one.
  const [first, second] = called as [number[], null[]]
  expect(first.length).toBeGreaterThan(60)
  expect(Math.min(...first)).toBeGreaterThanOrEqual(3)
  expect(new Set(second)).toEqual(new Set([null]))
})

test('in the box the next driver is not called in again before the litres are entered', () => {
  const phone = new TimedPhone(circuit)
  const [, { fromMs: stoppedAt }] = stops as [unknown, { fromMs: number }]
  for (const { atMs: at, latitude, longitude, speedMps } of race.fixes) {
    if (at > stoppedAt + 29_000) break
    const speedKmh = speedMps === null ? null : speedMps * kmhPerMps
    phone.add([{ at, latitude, longitude, speedKmh, accuracyM: 5 }])
    if (at < stoppedAt + 11_000) continue
    const car = carAt(at, phone)
    expect(carPlan(car, at)!.plan.stints.filter(({ state }) => state === 'next')).toEqual([])
  }
})

test('after the race the plan is what was driven', () => {
  const phone = new TimedPhone(circuit)
  const fixes = race.fixes.map(({ atMs: at, latitude, longitude, speedMps }) => {
    return { at, latitude, longitude, speedKmh: (speedMps ?? 0) * kmhPerMps, accuracyM: 5 }
  })
  phone.add(fixes)
  const endMs = fixes.at(-1)!.at
  const car = carAt(endMs, phone)
  const over = { ...car, race: { ...car.race!, endedAt: race.crossingsMs.at(-1)! - 20_000 } }
  const { stints } = planSheet(over, carPlan(over, endMs + 5 * minuteMs)!)
  expect(stints.map(({ state, laps }) => [state, laps])).toEqual([
    ['driven', 4],
    ['driven', 6],
    ['driven', race.crossingsMs.length - 11],
  ])
})
