import { expect, test } from 'vitest'
import { drivenCar } from '#testing/drivenCar.ts'
import { exampleLap, exampleRace } from '#testing/exampleRace.ts'
import { currentLap, hasFinished, isDue, raceResult, unfinished } from './raceResult.ts'

const race = exampleRace({ startedAt: 0, endedAt: 600_000 })

/** A car that drove these laps of the race one after the other, in seconds, and then a lap after it. */
function car(id: string, seconds: readonly number[]) {
  let startedAt = 0
  const laps = [...seconds, 100].map((lap, index) => {
    const timeMs = lap * 1000
    const number = index < seconds.length ? index + 1 : 0
    startedAt += timeMs
    return exampleLap(number, { startedAt: startedAt - timeMs, timeMs, kind: 'full' })
  })
  return { id, carRace: { ...drivenCar({ laps }), race } }
}

test('the result orders cars by laps of the race, then by their last crossing', () => {
  const cars = [car('44', [210, 210]), car('7', [101, 101, 102]), car('17', [100, 100, 100])]
  expect(raceResult(cars)).toEqual([
    { id: '17', laps: 3, behind: null },
    { id: '7', laps: 3, behind: { laps: 0, timeMs: 4000 } },
    { id: '44', laps: 2, behind: { laps: 1, timeMs: 0 } },
  ])
  expect(raceResult([car('7', [100]), car('44', [])])[1]).toEqual({
    id: '44',
    laps: 0,
    behind: null,
  })
})

test('lapped cars are behind the first one on their lap by time', () => {
  const cars = [car('17', [100, 100, 100]), car('12', [130, 150]), car('44', [140, 151.5])]
  expect(raceResult(cars).map(({ id, behind }) => [id, behind])).toEqual([
    ['17', null],
    ['12', { laps: 1, timeMs: 0 }],
    ['44', { laps: 1, timeMs: 11_500 }],
  ])
})

test('the first car to drive the laps of a race ends it for the others', () => {
  const byLaps = ({ id, carRace }: ReturnType<typeof car>) => ({
    id,
    carRace: { ...carRace, race: { ...race, length: { in: 'laps' as const, laps: 3 } } },
  })
  const cars = [car('17', [100, 100, 100]), car('44', [140, 150, 150]), car('7', [90, 100, 120])]
  expect(raceResult(cars.map(byLaps))).toEqual([
    { id: '17', laps: 3, behind: null },
    { id: '7', laps: 3, behind: { laps: 0, timeMs: 10_000 } },
    { id: '44', laps: 3, behind: { laps: 0, timeMs: 140_000 } },
  ])
  const slow = car('44', [140, 190, 190])
  expect(raceResult([...cars, slow].map(byLaps)).at(-1)).toMatchObject({ laps: 2 })
})

test('a car that stands in its box has not finished, one that has passed the flag has', () => {
  const left = (length: typeof race.length) => {
    const cars = [car('17', [100, 100, 100]), car('44', [140, 170]), car('12', [140])]
    const raced = cars.map(({ id, carRace }) => {
      const laps = carRace.laps.filter(({ number }) => number > 0)
      return { id, ...carRace, laps, race: { ...race, endedAt: null, length } }
    })
    return unfinished(raced).map(({ id }) => id)
  }
  expect(left({ in: 'time', ms: 250_000 })).toEqual(['12'])
  expect(left({ in: 'laps', laps: 3 })).toEqual(['12'])
  expect(left({ in: 'laps', laps: 9 })).toEqual([])
  expect(left(null)).toEqual([])
})

test('a car whose gap in reception hides the flag finishes at its crossing in the gap', () => {
  const overGap = { kind: 'incomplete', isSeen: false, endsAtLine: true } as const
  const lap = (number: number, startedAt: number, timeMs: number) =>
    exampleLap(number, { startedAt, timeMs, kind: 'full' })
  const seen = [lap(1, 0, 100_000), lap(2, 100_000, 100_000)]
  const over = (laps: number) => ({ ...race, length: { in: 'laps' as const, laps } })
  const hidden = (length: number, driven: number) => {
    const laps = [...seen, { ...lap(driven, 200_000, 400_000), ...overGap }]
    return { id: '7', carRace: { ...drivenCar({ laps }), race: over(length) } }
  }
  const slower = [110, 111, 112, 113].map((s, index) => lap(index + 1, index * 112_000, s * 1000))
  const other = { id: '44', carRace: { ...drivenCar({ laps: slower }), race: over(4) } }
  expect(raceResult([hidden(4, 4), other])).toEqual([
    { id: '7', laps: 4, behind: null },
    { id: '44', laps: 4, behind: { laps: 0, timeMs: 49_000 } },
  ])
  // The first car ends the race while this one is in its gap.
  const { carRace } = car('17', [90, 90, 90, 90])
  const first = { id: '17', carRace: { ...carRace, race: over(4) } }
  expect(raceResult([first, hidden(9, 6)])).toEqual([
    { id: '17', laps: 4, behind: null },
    { id: '7', laps: 4, behind: { laps: 0, timeMs: 40_000 } },
  ])
})

test('a car that crosses the line after the time is up stays at its laps of the result', () => {
  const { carRace } = car('7', [110, 110, 110])
  const running = { ...race, length: { in: 'time' as const, ms: 300_000 }, endedAt: null }
  const finished = { ...carRace, race: running }
  expect(hasFinished(finished)).toBe(true)
  expect(currentLap(finished)).toBe(3)
  const onLastLap = { ...finished, laps: carRace.laps.slice(0, 2) }
  expect(hasFinished(onLastLap)).toBe(false)
  expect(currentLap(onLastLap)).toBe(3)
  // Nothing ends a race without a length but the press.
  expect(currentLap({ ...finished, race: { ...running, length: null } })).toBe(4)
})

test('a race can be ended once its time is up or all its cars have finished', () => {
  const length = { in: 'time' as const, ms: 300_000 }
  const timed = exampleRace({ startedAt: 0, length })
  expect([299_999, 300_000].map(nowMs => isDue(timed, [], nowMs))).toEqual([false, true])
  expect(isDue({ ...timed, endedAt: 310_000 }, [], 320_000)).toBe(false)
  expect(isDue(exampleRace({ length }), [], 320_000)).toBe(false)
  const byLaps = exampleRace({ startedAt: 0, length: { in: 'laps', laps: 3 } })
  const cars = (...ids: number[]) =>
    ids.map(laps => ({
      ...car(
        '7',
        Array.from({ length: laps }, () => 100),
      ).carRace,
      race: byLaps,
    }))
  expect(isDue(byLaps, cars(3, 1), 400_000)).toBe(false)
  expect(isDue(byLaps, cars(3, 4), 400_000)).toBe(true)
  expect(isDue(byLaps, [], 400_000)).toBe(false)
})
