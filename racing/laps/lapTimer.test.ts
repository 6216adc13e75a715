import { describe, expect, test } from 'vitest'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { driveAround, durationMs } from '#testing/drives.ts'
import { circuitFrom } from '../circuits/outline.ts'
import type { RacingFix } from '../fix.ts'
import { LapTimer, lapsOf, type TimedLap } from './lapTimer.ts'

const circuits = [spaFrancorchamps, zolder]
const onZolder = circuitFrom(zolder.outline, zolder.startFinish)

/** Drives equal laps of exactly known time, without the first and last fixes: it begins between crossings. */
function drive(
  circuit: typeof zolder,
  { laps = 21, noiseM = 0, seed = 1, from = 20, hz = 1 } = {},
): { fixes: RacingFix[]; lapMs: number } {
  const fixes = driveAround(circuit, { laps, hz, noiseM, seed })
    .slice(from, -10)
    .map(sample => ({ ...sample, headingDeg: null, accuracyM: noiseM > 0 ? noiseM * 2.45 : null }))
  return { fixes, lapMs: durationMs(driveAround(circuit)) }
}

function fullLaps(laps: readonly TimedLap[]): TimedLap[] {
  return laps.filter(({ kind }) => kind === 'full')
}

function spreadMs(errors: number[]): number {
  return Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
}

/** The value that 95 % of the others do not exceed. */
function p95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}

describe.each(circuits.map(circuit => ({ name: circuit.name, circuit })))(
  '$name',
  ({ circuit }) => {
    const timed = circuitFrom(circuit.outline, circuit.startFinish)

    test('every lap is found, and timed within 20 ms without noise', () => {
      const { fixes, lapMs } = drive(circuit)
      const { laps } = lapsOf(fixes, timed)
      const full = fullLaps(laps)
      expect(full.length).toBeGreaterThanOrEqual(19)
      expect(p95(full.map(({ timeMs }) => Math.abs(timeMs - lapMs)))).toBeLessThanOrEqual(20)
      expect(laps.map(({ number }) => number)).toEqual(laps.map((_, index) => index))
      expect(laps[0]?.kind).toBe('out')
      expect(laps.at(-1)?.kind).toBe('incomplete')
    })

    test.each([2, 3])('with %s m of noise the ± contains the error in 95 % of laps', noiseM => {
      const full = [1, 2, 3, 4].flatMap(seed => {
        const { fixes, lapMs } = drive(circuit, { noiseM, seed })
        return fullLaps(lapsOf(fixes, timed).laps).map(lap => ({
          error: lap.timeMs - lapMs,
          within: Math.abs(lap.timeMs - lapMs) <= lap.plusMinusMs,
        }))
      })
      expect(full.length).toBeGreaterThanOrEqual(76)
      expect(spreadMs(full.map(({ error }) => error))).toBeLessThanOrEqual(noiseM === 2 ? 150 : 220)
      expect(p95(full.map(({ error }) => Math.abs(error)))).toBeLessThanOrEqual(400)
      expect(full.filter(({ within }) => within).length / full.length).toBeGreaterThanOrEqual(0.95)
    })
  },
)

test('a drive is timed equally in one piece and fix by fix from any line', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 5 })
  for (const line of zolder.outline.filter((_, index) => index % 20 === 0)) {
    const full = fullLaps(lapsOf(fixes, circuitFrom(zolder.outline, line)).laps)
    expect(full.length).toBeGreaterThanOrEqual(3)
    for (const { timeMs } of full) expect(Math.abs(timeMs - lapMs)).toBeLessThan(60)
  }
})

test('a receiver with 25 Hz gives the same laps', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 3, hz: 25, from: 400 })
  const full = fullLaps(lapsOf(fixes, onZolder).laps)
  expect(full).toHaveLength(1)
  for (const { timeMs } of full) expect(Math.abs(timeMs - lapMs)).toBeLessThan(20)
})

test('without a reported speed it is derived from the way', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 5, noiseM: 1 })
  const { laps } = lapsOf(
    fixes.map(fix => ({ ...fix, speedMps: null })),
    onZolder,
  )
  expect(fullLaps(laps)).toHaveLength(3)
  for (const { timeMs } of fullLaps(laps)) expect(Math.abs(timeMs - lapMs)).toBeLessThan(300)
})

test('a crossing within a gap in reception is counted, but not seen', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 5 })
  const silent = (atMs: number) => Math.abs(atMs - 2 * lapMs) < 5000
  const { laps } = lapsOf(
    fixes.filter(({ atMs }) => !silent(atMs)),
    onZolder,
  )
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full', 'full', 'incomplete'])
  expect(laps.map(({ isSeen }) => isSeen)).toEqual([true, false, false, true, true])
  expect(laps[1]?.plusMinusMs).toBeGreaterThan(1000)
})

test('the way after a crossing within a gap belongs to the next lap', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 5 })
  const silent = (atMs: number) => atMs > 2 * lapMs - 6000 && atMs < 2 * lapMs + 0.45 * lapMs
  const { laps } = lapsOf(
    fixes.filter(({ atMs }) => !silent(atMs)),
    onZolder,
  )
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'full', 'full', 'incomplete'])
})

test('a lap goes on over a minute without reception, and is whole at the usual time', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 5 })
  const without = (fromMs: number, untilMs: number) =>
    lapsOf(
      fixes.filter(({ atMs }) => atMs < fromMs || atMs > untilMs),
      onZolder,
    ).laps
  const inSecond = without(lapMs + 5000, lapMs + 70_000)
  // No whole lap is known yet.
  expect(inSecond.map(({ kind }) => kind)).toEqual([
    'out',
    'incomplete',
    'full',
    'full',
    'incomplete',
  ])
  const inThird = without(2 * lapMs + 5000, 2 * lapMs + 70_000)
  expect(inThird.map(({ kind }) => kind)).toEqual(['out', 'full', 'full', 'full', 'incomplete'])
  expect(inThird[2]?.isSeen).toBe(true)
  expect(Math.abs((inThird[2]?.timeMs ?? 0) - lapMs)).toBeLessThan(20)
  const overLine = without(2 * lapMs + 60_000, 3 * lapMs + 60_000)
  expect(overLine.map(({ kind }) => kind)).toEqual(['out', 'full', 'incomplete', 'incomplete'])
  expect(overLine[2]).toMatchObject({ isSeen: false, endsAtLine: true })
})

test('a time of two fast laps without reception is not one lap after slow laps', () => {
  const fast = drive(zolder, { laps: 6 })
  const slow = drive(zolder, { laps: 4, hz: 2 }).fixes.map(fix => {
    return { ...fix, atMs: 2 * fix.atMs, speedMps: (fix.speedMps ?? 0) / 2 }
  })
  const fastAtMs = 8 * fast.lapMs
  const later = fast.fixes.map(fix => ({ ...fix, atMs: fix.atMs + fastAtMs }))
  const fromMs = fastAtMs + 2.5 * fast.lapMs
  const received = later.filter(({ atMs }) => atMs < fromMs || atMs > fromMs + fast.lapMs)
  const { laps } = lapsOf([...slow, ...received], onZolder)
  expect(laps.find(({ startedAtMs }) => startedAtMs > fromMs - fast.lapMs)).toMatchObject({
    kind: 'incomplete',
    isSeen: false,
    endsAtLine: true,
  })
})

describe('the first lap of a path that began shortly before the line', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 10 })
  const first = fixes[0] as RacingFix
  const standing = Array.from({ length: 10 }, (_, second) => ({
    ...first,
    atMs: first.atMs + 1000 * (second - 10),
    speedMps: 0,
  }))
  const withGap = (endShare: number, gapMs = 75_000) => {
    const endMs = (6 - endShare) * lapMs
    return fixes.filter(({ atMs }) => atMs <= endMs - gapMs || atMs >= endMs)
  }
  const kindsOf = (all: readonly RacingFix[]) => lapsOf(all, onZolder).laps.map(({ kind }) => kind)

  test.each([0.03, 0.1, 0.16])('is a full one after a gap until %s of a lap before it', share => {
    const parts = ['full', 'full', 'full', 'full', 'incomplete']
    expect(kindsOf(withGap(share)).slice(-5)).toEqual(parts)
    expect(kindsOf([...standing, ...withGap(share)]).slice(-5)).toEqual(parts)
  })

  test('is an out lap if the car stood after the gap', () => {
    const after = withGap(0.1)
    const at = after.findIndex(({ atMs }) => atMs > 5.5 * lapMs)
    const stood = Array.from({ length: 10 }, (_, second) => ({
      ...(after[at] as RacingFix),
      atMs: (after[at]?.atMs ?? 0) + 1000 * second,
      speedMps: 0,
    }))
    const later = after.slice(at).map(fix => ({ ...fix, atMs: fix.atMs + 10_000 }))
    expect(kindsOf([...after.slice(0, at), ...stood, ...later]).slice(-6, -2)).toEqual([
      'incomplete',
      'out',
      'out',
      'full',
    ])
  })

  test('is an out lap if the car stood before the gap', () => {
    const flying = fixes.filter(({ atMs }) => atMs > 0.9 * lapMs)
    const before = (atMs: number) => ({ ...(flying[0] as RacingFix), atMs, speedMps: 0 })
    const stood = [before(-2000), before(-1000)]
    expect(kindsOf([...stood, ...flying]).slice(0, 3)).toEqual(['out', 'out', 'full'])
  })

  test('is a full one if the receiver reports no speed, unless the car stood', () => {
    const silent = (all: readonly RacingFix[]) => all.map(fix => ({ ...fix, speedMps: null }))
    const flying = fixes.filter(({ atMs }) => atMs > 0.9 * lapMs)
    const [start] = flying
    if (!start) throw new Error('no fix')
    const stood = Array.from({ length: 10 }, (_, second) => ({
      ...start,
      atMs: start.atMs + 1000 * (second - 10),
    }))
    expect(kindsOf(silent(flying)).slice(0, 3)).toEqual(['out', 'full', 'full'])
    expect(kindsOf(silent([...stood, ...flying])).slice(0, 3)).toEqual(['out', 'out', 'full'])
  })
})

test('a car without reception after it has stopped was parked', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 4 })
  const at = fixes.findIndex(({ atMs }) => atMs > 1.5 * lapMs)
  const stop = fixes[at] as RacingFix
  const later = fixes.slice(at + 1).map(fix => ({ ...fix, atMs: fix.atMs + 100_000 }))
  const all = [...fixes.slice(0, at), { ...stop, speedMps: 0 }, ...later]
  const { laps } = lapsOf(all, onZolder)
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'in', 'out', 'full', 'incomplete'])
})

test('a stop makes a pit lap', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 4 })
  const stopMs = 40_000
  const at = fixes.findIndex(({ atMs }) => atMs > 1.5 * lapMs)
  const stop = fixes[at] as RacingFix
  const standing = Array.from({ length: stopMs / 1000 - 1 }, (_, second) => ({
    ...stop,
    atMs: stop.atMs + 1000 * second + 500,
    speedMps: 0,
  }))
  const later = fixes.slice(at + 1).map(fix => ({ ...fix, atMs: fix.atMs + stopMs }))
  const { laps } = lapsOf([...fixes.slice(0, at), ...standing, ...later], onZolder)
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'pit', 'full', 'incomplete'])
  expect(Math.abs((laps[1]?.timeMs ?? 0) - lapMs - stopMs)).toBeLessThan(1000)
})

test.each([3, 6, 9])('a stop %i s after the line belongs to the lap that it is in', afterS => {
  const { fixes, lapMs } = drive(zolder, { laps: 5 })
  const stopMs = 15_000
  const at = fixes.findIndex(({ atMs }) => atMs > 2 * lapMs + afterS * 1000)
  const stop = fixes[at] as RacingFix
  const standing = Array.from({ length: stopMs / 1000 }, (_, second) => ({
    ...stop,
    atMs: stop.atMs + 1000 * second + 500,
    speedMps: 0,
  }))
  const later = fixes.slice(at + 1).map(fix => ({ ...fix, atMs: fix.atMs + stopMs }))
  const { laps } = lapsOf([...fixes.slice(0, at), ...standing, ...later], onZolder)
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'pit', 'full', 'incomplete'])
})

test('a day of standing with rare fixes costs no memory, and laps go on afterwards', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 3 })
  const at = fixes.findIndex(({ atMs }) => atMs > 0.5 * lapMs)
  const stop = fixes[at] as RacingFix
  const standing = Array.from({ length: 2880 }, (_, n) => ({
    ...stop,
    atMs: stop.atMs + 30_000 * n + 500,
    speedMps: 0,
  }))
  const later = fixes.slice(at + 1).map(fix => ({ ...fix, atMs: fix.atMs + 30_000 * 2880 }))
  const { laps } = lapsOf([...fixes.slice(0, at), ...standing, ...later], onZolder)
  expect(laps.map(({ kind }) => kind)).toEqual(['out', 'full', 'incomplete'])
  expect(Math.abs((laps[1]?.timeMs ?? 0) - lapMs)).toBeLessThan(20)
})

test('a parked car with a wandering receiver drives no lap', () => {
  const { startFinish } = zolder
  const plane = planeAround(startFinish)
  const fixes = Array.from({ length: 3600 }, (_, second): RacingFix => {
    const angle = second / 90
    const point = { eastM: 24 * Math.sin(angle), northM: 20 * Math.sin(1.7 * angle) }
    return {
      ...plane.toPosition(point),
      atMs: second * 1000,
      speedMps: second % 7 === 0 ? 0.9 : 0,
      headingDeg: null,
      accuracyM: 20,
    }
  })
  expect(lapsOf(fixes, onZolder).laps).toEqual([])
})

test('a car that starts on the line has no out part of some milliseconds', () => {
  const { lapMs } = drive(zolder)
  // The last fix before the end of the first lap.
  const { fixes } = drive(zolder, { laps: 4, from: Math.floor(lapMs / 1000) })
  const { laps } = lapsOf(fixes, onZolder)
  expect(laps.map(({ kind }) => kind)).toEqual(['full', 'full', 'incomplete'])
})

test('a drive on another circuit has no laps', () => {
  const { fixes } = drive(spaFrancorchamps, { laps: 2 })
  expect(lapsOf(fixes, onZolder).laps).toEqual([])
})

test('a receiver that reports 15 m or worse is too poor for lap times', () => {
  const { fixes } = drive(zolder, { laps: 4, noiseM: 2 })
  expect(lapsOf(fixes, onZolder).isPoor).toBe(false)
  const poor = fixes.map(fix => ({ ...fix, accuracyM: 16 }))
  expect(lapsOf(poor, onZolder).isPoor).toBe(true)
})

test('laps that end in gaps in reception do not make the receiver poor', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 4 })
  const silent = (atMs: number) => [1, 2, 3].some(lap => Math.abs(atMs - lap * lapMs) < 9000)
  const { laps, isPoor } = lapsOf(
    fixes.filter(({ atMs }) => !silent(atMs)),
    onZolder,
  )
  expect(fullLaps(laps)).toMatchObject([{ isSeen: false }, { isSeen: false }])
  expect(fullLaps(laps)[0]?.plusMinusMs).toBeGreaterThan(500)
  expect(isPoor).toBe(false)
})

test('fixes with the time of their arrival have a wider ±', () => {
  const { fixes } = drive(zolder, { laps: 4 })
  const widthMs = (all: RacingFix[]) => fullLaps(lapsOf(all, onZolder).laps)[0]?.plusMinusMs ?? 0
  const arrived = fixes.map(fix => ({ ...fix, atArrival: true }))
  expect(widthMs(arrived)).toBeGreaterThan(Math.hypot(widthMs(fixes), 270))
})

test('fixes out of order or twice change nothing', () => {
  const { fixes } = drive(zolder, { laps: 4 })
  const twice = fixes.flatMap((fix, index) => [fix, fixes[Math.max(0, index - 3)] as RacingFix])
  expect(lapsOf(twice, onZolder)).toEqual(lapsOf(fixes, onZolder))
})

test('the last lap before the car parks is an in lap only if it is slow', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 6 })
  const parkedAt = fixes.findLast(({ atMs }) => atMs < 5.5 * lapMs)!
  const kindsAt = (slowness: number) => {
    const lastFromMs = 4 * lapMs
    const driven = fixes
      .filter(({ atMs }) => atMs <= parkedAt.atMs)
      .map(fix => ({
        ...fix,
        atMs: fix.atMs + Math.max(0, fix.atMs - lastFromMs) * slowness,
        speedMps: null,
      }))
    const endMs = driven.at(-1)!.atMs
    const parked = Array.from({ length: 30 }, (_, second) => ({
      ...parkedAt,
      atMs: endMs + (second + 1) * 1000,
      speedMps: 0,
    }))
    return lapsOf([...driven, ...parked], onZolder).laps.map(({ kind }) => kind)
  }
  expect(kindsAt(0.03)).toEqual(['out', 'full', 'full', 'full', 'full', 'in'])
  expect(kindsAt(0.1)).toEqual(['out', 'full', 'full', 'full', 'in', 'in'])
})

test('laps are known 3 s after the line at 1 Hz, and stay as they are', () => {
  const { fixes } = drive(zolder, { laps: 12, noiseM: 1 })
  const timer = new LapTimer(onZolder)
  const known: { readonly lap: TimedLap; readonly afterMs: number }[] = []
  for (const fix of fixes) {
    timer.add(fix)
    for (const lap of timer.laps.slice(known.length))
      known.push({ lap, afterMs: fix.atMs - lap.startedAtMs - lap.timeMs })
  }
  expect(known).toHaveLength(11)
  for (const { afterMs } of known) expect(afterMs).toBeLessThan(3100)
  const times = (laps: readonly TimedLap[]) => laps.map(lap => [lap.startedAtMs, lap.timeMs])
  expect(times(timer.laps)).toEqual(times(known.map(({ lap }) => lap)))
})

test('the way of a receiver that fails is known only once it is found again', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 12, noiseM: 1 })
  const plane = planeAround(zolder.startFinish)
  // It reports places beside the circuit that lag behind the car, with too low a speed.
  const failing = fixes.map((fix, index) => {
    const intoMs = (fix.atMs + 30_000) % (3 * lapMs)
    if (intoMs > 12_000) return fix
    const last = fixes[index - Math.ceil(intoMs / 2000)] ?? fix
    const { eastM, northM } = plane.toPoint(last)
    const place = plane.toPosition({ eastM: eastM + 60, northM: northM - 60 })
    return { ...fix, ...place, speedMps: fix.speedMps! / 2 }
  })
  const full = fullLaps(lapsOf(failing, onZolder).laps)
  expect(full).toHaveLength(10)
  for (const { timeMs } of full) expect(Math.abs(timeMs - lapMs)).toBeLessThan(5000)
})

test('a crossing without a usable position is timed by the usual pace', () => {
  const { fixes, lapMs } = drive(zolder, { laps: 6 })
  const exact = fullLaps(lapsOf(fixes, onZolder).laps)
  const lost = (exact[3] as TimedLap).startedAtMs
  const blurred = fixes.map(fix => {
    if (Math.abs(fix.atMs - lost) > 12_000) return { ...fix, accuracyM: 8 }
    const { eastM, northM } = onZolder.track.plane.toPoint(fix)
    // 90 m beside the circuit, and the speed of a pedestrian.
    const wrong = onZolder.track.plane.toPosition({ eastM: eastM + 64, northM: northM + 64 })
    return { ...fix, ...wrong, speedMps: 6, accuracyM: 24 }
  })
  const laps = fullLaps(lapsOf(blurred, onZolder).laps)
  expect(laps).toHaveLength(exact.length)
  for (const { timeMs } of laps) expect(Math.abs(timeMs - lapMs)).toBeLessThan(1000)
  expect(laps.filter(({ isSeen }) => !isSeen)).toHaveLength(2)
})
