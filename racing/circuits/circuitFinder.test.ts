import { describe, expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { type Position, planeAround } from '#contract/shared/geo.ts'
import { driveRace } from '#testing/races.ts'
import type { RacingFix } from '../fix.ts'
import { DriveTimer } from '../laps/driveTimer.ts'
import { CircuitFinder } from './circuitFinder.ts'
import { FixedCircuit } from './fixedCircuit.ts'
import type { CircuitSource } from './foundCircuit.ts'
import type { GivenCircuit } from './givenCircuit.ts'
import { learnCircuit, learnSteps } from './learn.ts'

const plane = planeAround({ latitude: 40, longitude: -3 })

/** Rounded corners between points in metres. */
function outlineOf(corners: readonly (readonly [eastM: number, northM: number])[]): Position[] {
  return corners.map(([eastM, northM]) => plane.toPosition({ eastM, northM }))
}

/** A point every 10 m on a figure like an eight; its two loops cross in the middle. */
function figureEight(radiusM: number): Position[] {
  const count = Math.round((6.1 * radiusM) / 10)
  const angles = Array.from({ length: count }, (_, index) => (2 * Math.PI * index) / count)
  return outlineOf(
    angles.map(angle => [radiusM * Math.sin(angle), radiusM * Math.sin(angle) * Math.cos(angle)]),
  )
}

/** A stadium of two straights, which lie `widthM` apart. */
function stadium(straightM: number, widthM: number): Position[] {
  const arc = (fromAngle: number, east: number) =>
    Array.from({ length: 13 }, (_, index) => {
      const angle = fromAngle - (Math.PI * index) / 12
      const radiusM = widthM / 2
      return [east + radiusM * Math.cos(angle), radiusM * Math.sin(angle)] as const
    })
  const half = straightM / 2
  const along = Array.from({ length: 9 }, (_, index) => -half + ((index + 1) * straightM) / 10)
  return outlineOf([
    ...arc(-Math.PI / 2, -half),
    ...along.map(east => [east, widthM / 2] as const),
    ...arc(Math.PI / 2, half),
    ...along.toReversed().map(east => [east, -widthM / 2] as const),
  ])
}

const zolderInSpain = zolder.outline.map(({ latitude, longitude }) => ({
  latitude: latitude - 10,
  longitude: longitude - 8,
}))

const long: GivenCircuit = { id: 'long', ...circuit(stadium(2400, 500)) }
/** The western half of the long one, with a link road in the middle. */
const west = long.outline.filter(({ longitude }) => longitude < -3)
const link = outlineOf([
  [0, 250],
  [60, 200],
  [60, -200],
  [0, -250],
])
const short: GivenCircuit = {
  id: 'short',
  ...circuit([...west.slice(0, 17), ...link, ...west.slice(17)]),
}

function circuit(outline: Position[]) {
  return { outline, line: outline[5] ?? { latitude: 0, longitude: 0 } }
}

function drive(outline: readonly Position[], laps: number, hz = 1): RacingFix[] {
  const pace = Array.from({ length: laps }, (_, lap) => ({ pace: 0.9 + 0.05 * Math.sin(lap) }))
  return driveRace({ outline, laps: pace, hz, whiteM: 1, accuracyM: 4, startShare: 0.35 }).fixes
}

function timed(fixes: readonly RacingFix[], source: CircuitSource): DriveTimer {
  const timer = new DriveTimer(source)
  for (let index = 0; index < fixes.length; ) index = timer.add(fixes[index]!) ? index + 1 : 0
  return timer
}

function fullLaps({ laps }: DriveTimer): number {
  return laps.filter(({ kind }) => kind === 'full').length
}

describe.each([
  { name: 'long first', circuits: [long, short] },
  { name: 'short first', circuits: [short, long] },
])('two layouts that share a road, $name', ({ circuits }) => {
  test.each([long, short])('$id is found', layout => {
    const timer = timed(drive(layout.outline, 6), new CircuitFinder(circuits))
    expect(timer.circuit?.given?.id).toBe(layout.id)
    expect(fullLaps(timer)).toBeGreaterThanOrEqual(4)
  })
})

test('a layout that is not known is learned, though it shares a road with a known one', () => {
  const timer = timed(drive(long.outline, 6), new CircuitFinder([short]))
  expect(timer.circuit).toMatchObject({ given: null, shipped: null })
  expect(fullLaps(timer)).toBeGreaterThanOrEqual(4)
})

test.each<{ name: string; source: CircuitSource }>([
  { name: 'known', source: new CircuitFinder([long]) },
  { name: 'fixed', source: new FixedCircuit(long) },
])('a $name circuit is timed when it is driven the other way round', ({ source }) => {
  const backwards = long.outline.toReversed()
  const timer = timed(drive(backwards, 5), source)
  expect(timer.circuit?.given?.id).toBe('long')
  expect(timer.circuit?.outline).toEqual(backwards)
  expect(fullLaps(timer)).toBeGreaterThanOrEqual(3)
})

test('of two versions of a circuit the first is found at once', () => {
  const newest = { ...long, id: 'newest', line: long.outline[9]! }
  const fixes = drive(long.outline, 2)
  const timer = timed(fixes.slice(0, 65), new CircuitFinder([newest, long]))
  expect(timer.circuit?.given?.id).toBe('newest')
})

test('without reported speeds a known circuit is found too', () => {
  const fixes = drive(long.outline, 3).map(fix => ({ ...fix, speedMps: null }))
  expect(timed(fixes, new CircuitFinder([long])).circuit?.given?.id).toBe('long')
})

test.each([
  { name: 'a kart track of 20 s', outline: stadium(180, 60), laps: 40, hz: 5 },
  { name: 'a kart track at 1 Hz', outline: stadium(300, 80), laps: 30, hz: 1 },
  { name: 'a figure of eight', outline: figureEight(160), laps: 20, hz: 1 },
  { name: 'a small figure of eight', outline: figureEight(110), laps: 20, hz: 10 },
  { name: 'a circuit of 25 km', outline: stadium(11_000, 1000), laps: 4, hz: 1 },
])('all laps of $name are found', ({ outline, laps, hz }) => {
  const timer = timed(drive(outline, laps, hz), new CircuitFinder())
  const full = timer.laps.filter(({ kind }) => kind === 'full')
  expect(full.length).toBeGreaterThanOrEqual(laps - 3)
  const times = full.map(({ timeMs }) => timeMs).toSorted((a, b) => a - b)
  expect(times.at(-1)! / times[0]!).toBeLessThan(1.15)
})

/** Zolder in Spain, after this time of driving to it. */
function driveTo(minutes: number): RacingFix[] {
  const fixes = drive(zolderInSpain, 8, 2)
  const first = fixes[0]!
  const count = minutes * 60 * 2
  const road = Array.from({ length: count }, (_, index): RacingFix => {
    const byS = (count - index) / 2
    const place = { eastM: -20 * byS, northM: 2000 * Math.sin(byS / 300) }
    return {
      ...first,
      ...planeAround(first).toPosition(place),
      atMs: first.atMs - byS * 1000,
      speedMps: 21,
    }
  })
  return [...road, ...fixes]
}

test.each([30, 90])('a circuit is found after %s minutes of driving to it', minutes => {
  expect(fullLaps(timed(driveTo(minutes), new CircuitFinder()))).toBeGreaterThanOrEqual(6)
})

test('no circuit is searched any more after five hours without a closed lap', () => {
  const finder = new CircuitFinder()
  for (const fix of driveTo(5 * 60)) finder.add(fix)
  expect(finder.finish()).toBe(false)
  expect(finder.found).toBeNull()
})

test('the last fixes of a drive may close its only lap', () => {
  const fixes = drive(zolderInSpain, 2, 5).slice(0, 5 * 130)
  const finder = new CircuitFinder()
  expect(timed(fixes, finder).circuit).toBeNull()
  expect(finder.finish()).toBe(true)
  expect(finder.found?.learned?.lengthM).toBeGreaterThan(4000)
  expect(finder.finish()).toBe(false)
})

test('learning in steps gives the same circuit', () => {
  const fixes = drive(zolder.outline, 4)
  const steps = learnSteps(fixes)
  let count = 0
  let result = steps.next()
  for (; !result.done; result = steps.next()) count++
  expect(count).toBeGreaterThan(50)
  expect(result.value).toEqual(learnCircuit(fixes))
  expect(result.value?.laps).toBeGreaterThanOrEqual(3)
})
