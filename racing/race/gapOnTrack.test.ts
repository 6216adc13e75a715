import { describe, expect, test } from 'vitest'
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
import { currentLap } from './raceResult.ts'

const circuit = { id: 'zolder', outline: zolder.outline, line: zolder.startFinish }
const lapM = trackOf(flyingLap(zolder.outline)).lengthM
const tankL = 40
const burnL = 2

/** Fifteen laps of about 105 s on the circuit, of which the fifth has a pit stop. */
const race = driveRace({
  outline: zolder.outline,
  laps: Array.from({ length: 15 }, (_, lap) => ({
    pace: 0.86,
    ...(lap === 4 && { pitStopS: 40 }),
  })),
  pits: { inM: lapM - 400, outM: lapM + 320, besideM: 18, limitMps: 58 / 3.6, boxM: lapM + 60 },
  whiteM: 1,
  startShare: 0.98,
})
const fixes = race.fixes.map(({ atMs: at, latitude, longitude, speedMps }) => {
  return { at, latitude, longitude, speedKmh: (speedMps ?? 0) * kmhPerMps, accuracyM: 5 }
})
const filledAt = race.visits[0]!.stop!.fromMs + 30_000
const crossedAt = (lap: number) => race.crossingsMs[lap]!

/** The race of the car as it is known with the positions until a time. */
function carAt(nowMs: number, { laps, visits }: TimedPhone) {
  const phone = { sessionId: 's1', startedAt: 0, endedAt: null, leftPitsAt: [], laps, visits }
  return carRaceOf({
    ...drivenCar(),
    car: { tankL, reserveL: 2, burnL },
    race: {
      startedAt: 2000,
      endedAt: null,
      pauses: [],
      length: { in: 'time', ms: 40 * minuteMs },
      rules: { ...noRules, stops: { kind: 'count', count: 3 } },
    },
    plan: { driverIds: [], stopMs: minuteMs, lapMs: 105_000, stints: [] },
    phones: [{ ...phone, lastFixAt: nowMs }],
    fills: nowMs > filledAt ? [{ at: filledAt, litres: 10, kind: 'full' }] : [],
  })
}

/** The figures of each second of the drive, of which these times were not received. */
function secondsWithout(fromMs: number, untilMs: number) {
  const phone = new TimedPhone(circuit)
  return fixes.map(fix => {
    if (fix.at < fromMs || fix.at > untilMs) phone.add([fix])
    const car = carAt(fix.at, phone)
    const { fuel, lapsToPit } = carStrategy(car, fix.at)
    const stops = carPlan(car, fix.at)!.plan.stints.length - 1
    return { at: fix.at, lap: currentLap(car) ?? 0, fuel, lapsToPit, stops, laps: car.laps, car }
  })
}

const whole = secondsWithout(-2, -1)

describe.each([
  ['30 s within a lap', 8, 20_000, 30_000, 0],
  ['70 s within a lap', 8, 20_000, 70_000, 0],
  ['70 s over the line', 8, 70_000, 70_000, 1],
  ['200 s over two lines', 8, 70_000, 200_000, 2],
] as const)('a gap of %s', (_, lap, afterMs, gapMs, lines) => {
  const fromMs = crossedAt(lap) + afterMs
  const untilMs = fromMs + gapMs
  const seconds = secondsWithout(fromMs, untilMs)
  const last = seconds.at(-1)!
  const backAt = crossedAt(lap + lines + 1)

  test('is no visit to the pits', () => {
    const begun = last.laps.filter(({ startedAt }) => startedAt > crossedAt(lap - 1))
    expect(begun.map(({ kind }) => kind).filter(kind => kind === 'out' || kind === 'in')).toEqual(
      [],
    )
    expect(last.car.visits).toEqual(whole.at(-1)!.car.visits)
    expect(seconds.map(({ stops }) => stops)).toEqual(whole.map(({ stops }) => stops))
  })

  test('keeps counting laps, whose number never falls', () => {
    for (const [index, { lap: now }] of seconds.entries())
      expect(now).toBeGreaterThanOrEqual(seconds[index - 1]?.lap ?? 0)
    const after = seconds.filter(({ at }) => at > backAt + 5000)
    expect(after.map(each => each.lap)).toEqual(
      whole.filter(({ at }) => at > backAt + 5000).map(each => each.lap),
    )
  })

  test('burns the usual fuel, which never rises', () => {
    const since = seconds.filter(({ at }) => at > fromMs)
    for (const [index, { fuel }] of since.entries()) {
      expect(fuel!.leftL).toBeLessThanOrEqual((since[index - 1]?.fuel?.leftL ?? tankL) + 1e-9)
      expect(fuel!.plusMinusL).toBeGreaterThanOrEqual(since[index - 1]?.fuel?.plusMinusL ?? 0)
      expect(since[index]!.lapsToPit).toBeLessThanOrEqual(since[index - 1]?.lapsToPit ?? tankL)
    }
    const trueL = whole.at(-1)!.fuel!.leftL
    expect(last.fuel!.leftL).toBeCloseTo(trueL, 1)
  })

  test('is in one lap, with its time if it hid no line', () => {
    const over = last.laps.filter(
      ({ startedAt, timeMs }) => startedAt < untilMs && startedAt + timeMs > fromMs,
    )
    const isSeen = lines === 0
    expect(over).toMatchObject([{ kind: isSeen ? 'full' : 'incomplete', isSeen }])
    expect(Math.abs(over[0]!.timeMs - (backAt - crossedAt(lap)))).toBeLessThan(300)
  })

  test('changes no lap once its positions arrive', () => {
    const phone = new TimedPhone(circuit)
    phone.add(fixes.filter(({ at }) => at < fromMs || at > untilMs))
    phone.add(fixes)
    const car = carAt(last.at, phone)
    expect(car.laps).toEqual(whole.at(-1)!.laps)
  })
})

test('a car that is found again in its box has stopped', () => {
  const { startedAtMs, stop } = race.visits[0]!
  const { laps, stops, car } = secondsWithout(startedAtMs - 70_000, stop!.fromMs + 10_000).at(-1)!
  expect(car.visits).toHaveLength(1)
  expect(car.visits[0]!.stoppedAt).not.toBeNull()
  expect(laps.map(({ kind }) => kind)).toContain('out')
  expect(laps.at(-1)!.number).toBe(whole.at(-1)!.laps.at(-1)!.number)
  expect(stops).toBe(whole.at(-1)!.stops)
})
