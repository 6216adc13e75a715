import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { stintNumbers, stintTimes } from './carStints.ts'
import { carStrategy } from './carStrategy.ts'

const at = (minutes: number) => minutes * minuteMs

/** The race starts after a formation lap of 3 min; the stop with the driver change is from minute 10 to 13. */
const visits = [{ startedAt: at(10), stoppedAt: at(10.5), leftAt: at(12.5), endedAt: at(13) }]
const race = {
  length: { in: 'time', ms: at(60) } as const,
  startedAt: at(3),
  pauses: [],
  endedAt: null,
  rules: noRules,
}
const stints = [
  { driverId: 'ana', from: at(0), to: at(11) },
  { driverId: 'leo', from: at(11), to: null },
]

test('a stint counts from the start of the race, or from pit-out, to pit-in', () => {
  const car = drivenCar({ stints, visits, race })
  const times = stintTimes(car, at(20))
  expect([...times]).toEqual(car.stints.map(({ id }) => [id, at(7)]))
  expect(times.get(car.stints.at(-1)?.id ?? '')).toBe(carStrategy(car, at(20)).stint?.elapsedMs)
})

test('the first stint counts from the start, also if the phone moves later', () => {
  const grid = [{ driverId: 'ana', from: at(3) + 6000, to: null }]
  const car = drivenCar({ stints: grid, visits: [], race })
  expect([...stintTimes(car, at(8)).values()]).toEqual([at(5)])
  expect(carStrategy(car, at(8)).stint?.elapsedMs).toBe(at(5))
  const late = drivenCar({ stints: [{ driverId: 'ana', from: at(5), to: null }], visits: [], race })
  expect([...stintTimes(late, at(8)).values()]).toEqual([at(3)])
})

test('the stint of a car that stays in the pits until the race is over ends at pit-in', () => {
  const timeWith = (inPits: { from: number; to: number | null }) => {
    const visit = { startedAt: inPits.from, stoppedAt: null, leftAt: null, endedAt: inPits.to }
    const car = drivenCar({
      stints: [{ driverId: 'ana', from: 0, to: null }],
      visits: [visit],
      race: { ...race, endedAt: at(30) },
    })
    const [timeMs] = stintTimes(car, at(40)).values()
    expect(carStrategy(car, at(40)).stint?.elapsedMs).toBe(timeMs)
    return timeMs
  }
  expect(timeWith({ from: at(10), to: null })).toBe(at(7))
  // It leaves its box after the race.
  expect(timeWith({ from: at(10), to: at(35) })).toBe(at(7))
  expect(timeWith({ from: at(10), to: at(13) })).toBe(at(27))
  // It never left the pits.
  expect(timeWith({ from: at(1), to: null })).toBe(at(27))
})

test('without a race the time in the session counts, without the stop', () => {
  const car = drivenCar({ stints, visits })
  expect([...stintTimes(car, at(20)).values()]).toEqual([at(10), at(7)])
})

test('stints before the start of a race and after its end have no number in it', () => {
  const three = [
    { driverId: 'ana', from: at(0), to: at(4) },
    { driverId: 'leo', from: at(4), to: at(20) },
    { driverId: 'ana', from: at(20), to: null },
  ]
  const numbersIn = (times: { startedAt: number | null; endedAt: number | null } | null) => {
    const car = drivenCar({ stints: three, visits: [], race: times && { ...race, ...times } })
    const numbers = stintNumbers(car, at(30))
    return car.stints.map(({ id }) => numbers.get(id))
  }
  expect(numbersIn({ startedAt: at(5), endedAt: null })).toEqual([undefined, 1, 2])
  expect(numbersIn({ startedAt: at(2), endedAt: at(19) })).toEqual([1, 2, undefined])
  expect(numbersIn({ startedAt: null, endedAt: null })).toEqual([1, 2, 3])
  expect(numbersIn(null)).toEqual([1, 2, 3])
})
