import { readFileSync } from 'node:fs'
import type { Circuit } from '#contract/shared/circuits/circuit.ts'
import { distanceM, type Position, planeAround, positionBetween } from '#contract/shared/geo.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'

/** Position and speed of a car at a time. Times of a drive start at 0. */
export interface DriveSample extends Position {
  readonly atMs: number
  readonly speedMps: number
}

/** A recorded or simulated drive: at least two samples, in order of time. */
export type Drive = readonly DriveSample[]

/**
 * Reads a drive from a CSV file with the columns t_s, latitude_deg, longitude_deg and speed_mps, in any order;
 * other columns are ignored. Throws an Error with file and line if a value is missing, is not a number, or if
 * time does not increase.
 */
export function lapFromFile(path: string): DriveSample[] {
  const [header = '', ...rows] = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const names = header.split(',').map(name => name.trim())
  const missing = lapColumns.filter(name => !names.includes(name))
  if (missing.length > 0) throw new Error(`${path} has no column ${missing.join(', ')}`)
  const columns = lapColumns.map(name => names.indexOf(name))

  const drive: DriveSample[] = []
  let firstMs: number | undefined
  for (const [index, row] of rows.entries()) {
    if (row.trim() === '') continue
    const where = `${path}, line ${index + 2}`
    const { atMs, ...sample } = sampleIn(row.split(','), columns, where)
    firstMs ??= atMs
    const before = drive.at(-1)
    if (before && atMs - firstMs <= before.atMs) {
      throw new Error(`${where}: time does not increase`)
    }
    drive.push({ ...sample, atMs: atMs - firstMs })
  }
  if (drive.length < 2) throw new Error(`${path} has fewer than two samples`)
  return drive
}

const lapColumns = ['t_s', 'latitude_deg', 'longitude_deg', 'speed_mps']

function sampleIn(cells: string[], columns: number[], where: string): DriveSample {
  const values = columns.map(column => numberIn(cells[column], where))
  const [t = 0, latitude = 0, longitude = 0, speedMps = 0] = values
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
    throw new Error(`${where}: ${latitude}, ${longitude} is not a position on earth`)
  }
  return { atMs: Math.round(t * 1000), latitude, longitude, speedMps }
}

function numberIn(cell: string | undefined, where: string): number {
  const value = Number(cell?.trim() || Number.NaN)
  if (!Number.isFinite(value)) throw new Error(`${where}: “${cell ?? ''}” is not a number`)
  return value
}

export interface Driving {
  /** Number of laps, a whole number; all laps are equal. */
  readonly laps?: number
  /** Samples per second. */
  readonly hz?: number
  /** Position noise like that of a GPS receiver: standard deviation per axis. */
  readonly noiseM?: number
  /** Seed of the noise: the same seed gives the same noise. */
  readonly seed?: number
}

/** Simulates flying laps, from start/finish to start/finish, at the pace of a GT car. */
export function driveAround(circuit: Pick<Circuit, 'outline'>, driving: Driving = {}): Drive {
  const { laps = 1, hz = 10, noiseM = 0, seed = 1 } = driving
  if (!Number.isInteger(laps) || laps < 1) throw new RangeError('Drive at least one whole lap.')
  const lap = flyingLap(circuit.outline).map(({ atS, ...node }) => ({ ...node, atMs: atS * 1000 }))
  const drive = sampled(lap, durationMs(lap) * laps, hz)
  return noiseM > 0 ? strayed(drive, noiseM, seed) : drive
}

/** Returns the duration of a drive, after which it repeats. */
export function durationMs(drive: Drive): number {
  return lastOf(drive).atMs - firstOf(drive).atMs
}

/** Returns the interpolated sample at a time. The drive repeats after its end and before 0. */
export function sampleAt(drive: Drive, atMs: number): DriveSample {
  const lapMs = durationMs(drive)
  const intoMs = firstOf(drive).atMs + (((atMs % lapMs) + lapMs) % lapMs)
  const index = lastAtOrBefore(drive, intoMs)
  const from = drive[index] ?? firstOf(drive)
  const to = drive[index + 1] ?? from
  const share = to.atMs > from.atMs ? (intoMs - from.atMs) / (to.atMs - from.atMs) : 0
  const between = (a: number, b: number) => a + (b - a) * share
  return {
    atMs,
    ...positionBetween(from, to, share),
    speedMps: between(from.speedMps, to.speedMps),
  }
}

/** Resamples a drive at another rate, keeping its last sample. */
export function resample(drive: Drive, hz: number): Drive {
  return sampled(drive, durationMs(drive), hz)
}

/**
 * Makes a seamless loop of a drive: from its start to where it passes its start for the last time. A drive that
 * never passes its start again stays unchanged, and jumps when it repeats.
 */
export function loopOf(drive: Drive): Drive {
  const start = firstOf(drive)
  const leftAt = drive.findIndex(sample => distanceM(sample, start) > awayM)
  let end: DriveSample | undefined
  let nearestM = backM
  // Searches backwards, so that the last pass is found first.
  for (let index = drive.length - 1; leftAt !== -1 && index > leftAt; index--) {
    const sample = drive[index] ?? start
    if (end && end.atMs - sample.atMs > samePassMs) break
    const offM = distanceM(sample, start)
    if (offM > nearestM) continue
    nearestM = offM
    end = sample
  }
  if (!end) return drive
  const endMs = end.atMs
  return [...drive.filter(({ atMs }) => atMs < endMs), { ...start, atMs: endMs }]
}

/** A car has left its start beyond the first distance, and is back within the second. */
const awayM = 150
const backM = 25
const samePassMs = 5000

function sampled(drive: Drive, lengthMs: number, hz: number): Drive {
  if (!(hz > 0 && hz <= 1000)) throw new RangeError('Take 1 to 1,000 samples per second.')
  const count = Math.ceil((lengthMs * hz) / 1000 - 1e-6)
  const samples = Array.from({ length: count }, (_, index) => sampleAt(drive, (index * 1000) / hz))
  const end = lengthMs % durationMs(drive) < 1e-6 ? lastOf(drive) : sampleAt(drive, lengthMs)
  return [...samples, { ...end, atMs: lengthMs }]
}

/** Correlation time of GPS noise, which changes slowly. */
const strayMs = 8000

function strayed(drive: Drive, noiseM: number, seed: number): Drive {
  const plane = planeAround(firstOf(drive))
  const noise = receiverNoise(seeded(seed), { driftM: noiseM, driftMs: strayMs })
  return drive.map(sample => {
    const point = plane.toPoint(sample)
    const { eastM, northM } = noise(sample.atMs)
    const position = plane.toPosition({
      eastM: point.eastM + eastM,
      northM: point.northM + northM,
    })
    return { ...sample, ...position }
  })
}

interface Noise {
  /** Standard deviation per axis of an error that changes slowly, and its correlation time. */
  readonly driftM: number
  readonly driftMs?: number
  /** Standard deviation per axis of noise without memory. */
  readonly whiteM?: number
}

/** The error of a receiver. Call the result with the times of its fixes, in order; the first one follows `sinceMs`. */
export function receiverNoise(
  random: () => number,
  { driftM, driftMs = 60_000, whiteM }: Noise,
  sinceMs: number | null = null,
) {
  const drift = { eastM: driftM * gaussian(random), northM: driftM * gaussian(random) }
  const white = () => (whiteM === undefined ? 0 : whiteM * gaussian(random))
  let lastMs = sinceMs
  return (atMs: number) => {
    const keep = Math.exp(-(atMs - (lastMs ?? atMs)) / driftMs)
    lastMs = atMs
    for (const axis of ['eastM', 'northM'] as const)
      drift[axis] = keep * drift[axis] + Math.sqrt(1 - keep ** 2) * driftM * gaussian(random)
    return { eastM: drift.eastM + white(), northM: drift.northM + white() }
  }
}

/** A standard normal number (Box–Muller). */
export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A seeded generator of numbers in [0, 1): a linear congruential generator with Knuth's MMIX constants. */
export function seeded(seed: number): () => number {
  let state = BigInt(Math.trunc(seed))
  return () => {
    // V8 computes this with 64-bit integers, four times as fast as with `% 2n ** 64n`.
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    return Number(state >> 11n) / 2 ** 53
  }
}

function lastAtOrBefore(drive: Drive, atMs: number): number {
  let low = 0
  let high = drive.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((drive[middle]?.atMs ?? 0) <= atMs) low = middle
    else high = middle - 1
  }
  return low
}

function firstOf(drive: Drive): DriveSample {
  const first = drive[0]
  if (!first) throw new RangeError('A drive needs at least one sample.')
  return first
}

function lastOf(drive: Drive): DriveSample {
  return drive.at(-1) ?? firstOf(drive)
}
