import { expect, test } from 'vitest'
import { distanceM } from '#contract/shared/geo.ts'
import { practiceMs } from '#contract/shared/practice.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { practiceCircuit } from './practiceCircuit.ts'
import { type PracticeOrder, practiceDrive } from './practiceDrive.ts'
import { practiceReaction } from './practiceDriver.ts'

const drive = practiceDrive(practiceCircuit)
const track = trackOf(practiceCircuit.outline)

/** The states of a whole drive, once a second as the phone reports them. */
function statesOf(orders: readonly PracticeOrder[]) {
  return Array.from({ length: practiceMs / 1000 + 1 }, (_, second) => drive(second * 1000, orders))
}

function speedsOf(orders: readonly PracticeOrder[]): number[] {
  return statesOf(orders).map(({ speedKmh }) => speedKmh)
}

test('the car drives more than a lap on the circuit, at its pace', () => {
  const states = statesOf([])
  let wayM = 0
  for (const [index, state] of states.entries()) {
    expect(nearestOnTrack(track, state).offM).toBeLessThan(8)
    const before = states[index - 1]
    if (!before) continue
    const movedM = distanceM(before, state)
    wayM += movedM
    // A chord is shorter than the way, and the speed changes within the second.
    expect(movedM).toBeLessThan((Math.max(before.speedKmh, state.speedKmh) + 20) / 3.6)
  }
  expect(wayM).toBeGreaterThan(1.4 * track.lengthM)
  expect(wayM).toBeLessThan(2 * track.lengthM)
  expect(Math.max(...speedsOf([]))).toBeGreaterThan(180)
  expect(Math.min(...speedsOf([]))).toBeGreaterThan(40)
})

test('the same time and messages give the same place, after any other calls', () => {
  const orders = [{ type: 'Pit', fromMs: 12_000 }]
  const first = drive(95_350, orders)
  drive(40_000, [{ type: 'FCY', fromMs: 0 }])
  expect(practiceDrive(practiceCircuit)(95_350, orders)).toEqual(first)
  expect(drive(95_350, [])).not.toEqual(first)
})

test('the heading is the direction in which the car moves', () => {
  const [from, to] = [drive(20_000, []), drive(20_200, [])]
  const { eastM, northM } = track.plane.toPoint(to)
  const start = track.plane.toPoint(from)
  const heading = (Math.atan2(eastM - start.eastM, northM - start.northM) * 180) / Math.PI
  expect(Math.abs(((heading - from.headingDeg + 540) % 360) - 180)).toBeLessThan(10)
})

test.each([0, 20_000, 45_000, 90_000, 120_000])(
  'PIT at %d ms is obeyed once within the drive',
  at => {
    const states = statesOf([{ type: 'Pit', fromMs: at }])
    const standing = states.flatMap(({ speedKmh }, second) => (speedKmh === 0 ? [second] : []))
    expect(standing.length).toBeGreaterThanOrEqual(11)
    expect(standing.length).toBeLessThanOrEqual(13)
    expect(standing.at(-1)! - standing[0]!).toBe(standing.length - 1)
    expect(standing[0]! * 1000).toBeGreaterThan(at)
    const box = states[standing[0]!]!
    expect(Math.abs(nearestOnTrack(track, box).alongM - practiceCircuit.pits!.boxM)).toBeLessThan(
      15,
    )
    // In the lane, before and after the stop.
    for (const second of [standing[0]! - 8, standing.at(-1)! + 8])
      expect(states[second]!.speedKmh).toBeLessThanOrEqual(61)
    expect(
      Math.max(...states.slice(standing.at(-1)! + 15).map(each => each.speedKmh)),
    ).toBeGreaterThan(at > 100_000 ? 60 : 120)
  },
)

test('a PIT that is cleared before the entry is not obeyed', () => {
  const cleared = [
    { type: 'Pit', fromMs: 0 },
    { type: null, fromMs: 10_000 },
  ]
  expect(Math.min(...speedsOf(cleared))).toBeGreaterThan(40)
})

test('a second PIT is obeyed again', () => {
  const twice = [
    { type: 'Pit', fromMs: 0 },
    { type: 'Pit', fromMs: 80_000 },
  ]
  const stops = speedsOf(twice).filter((speed, second, all) => speed === 0 && all[second - 1] !== 0)
  expect(stops).toHaveLength(2)
})

test('without a pit lane PIT changes nothing', () => {
  const { outline } = practiceCircuit
  const open = practiceDrive({ outline })
  expect(open(90_000, [{ type: 'Pit', fromMs: 0 }])).toEqual(open(90_000, []))
})

test.each([
  ['FCY', 80],
  ['SC', 100],
  ['Code 60', 60],
])('%s limits the speed to %d km/h until it is cleared', (type, limit) => {
  const speeds = speedsOf([
    { type, fromMs: 30_000 },
    { type: null, fromMs: 70_000 },
  ])
  expect(Math.max(...speeds.slice(0, 30))).toBeGreaterThan(limit)
  expect(Math.max(...speeds.slice(38, 70))).toBe(limit)
  expect(Math.max(...speeds.slice(80))).toBeGreaterThan(limit)
})

test('a driver acknowledges an order, answers a question and obeys an empty screen', () => {
  expect(practiceReaction({ type: 'Pit', ask: false })).toEqual({
    afterMs: 3000,
    act: 'copy',
    obeys: 'Pit',
  })
  expect(practiceReaction({ type: 'Pit', ask: true })).toEqual({ afterMs: 3000, act: 'yes' })
  expect(practiceReaction({ type: null, ask: false })).toEqual({
    afterMs: 0,
    act: 'none',
    obeys: null,
  })
})
