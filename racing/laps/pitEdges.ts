import { upperMedian } from '../circuits/accuracy.ts'
import { parkedMps } from '../fix.ts'

/** A place of the car, and its total standing time up to it. */
export interface Sample {
  readonly atMs: number
  /** Metres along the path, without a jump between successive samples. */
  readonly alongM: number
  readonly speedMps: number
  readonly stoodMs: number
  /** True if the car was slow beside its usual line. */
  readonly isBeside: boolean
}

/** The beginning or end of a pit lane, as a car passed it. */
export interface Edge {
  readonly atMs: number
  readonly alongM: number
}

/** Indexes of the first and the last sample that show a visit to the pits. */
export interface Signs {
  readonly first: number
  readonly last: number
}

/** The pit lane begins and ends where the car is faster than it usually is in it, by this much. */
const fasterShare = 1.15
const fasterMps = 1

/** The beginning and the end are within this distance of the signs. */
const withinM = 400

/** Samples around the signs that show the speed in the pit lane, if there are few between them. */
const aroundM = 100
const leastSamples = 3

/** Returns the speed above which a car is not in the pit lane: somewhat more than its median speed there. */
export function pitSpeedMps(way: readonly Sample[], { first, last }: Signs): number {
  const moving = (samples: readonly Sample[]) =>
    samples.flatMap(({ speedMps }) => (speedMps >= parkedMps ? speedMps : []))
  const between = moving(way.slice(first, last + 1))
  const fromM = (way[first]?.alongM ?? 0) - aroundM
  const toM = (way[last]?.alongM ?? 0) + aroundM
  const speeds =
    between.length >= leastSamples
      ? between
      : moving(way.filter(({ alongM }) => alongM >= fromM && alongM <= toM))
  return (upperMedian(speeds) ?? parkedMps) * fasterShare + fasterMps
}

/** Returns the place where the car slowed down to the speed in the pit lane; null if it was never faster before. */
export function slowedDown(way: readonly Sample[], signs: Signs, pitMps: number): Edge | null {
  const isSlow = (index: number) => (way[index] as Sample).speedMps <= pitMps
  let slow = signs.first
  // The first sign is a fast one if the car braked beside the circuit.
  while (slow < signs.last && !isSlow(slow)) slow++
  const sign = way[slow] as Sample
  for (; slow > 0; slow--) {
    const before = way[slow - 1] as Sample
    if (!isSlow(slow - 1)) return reaching(pitMps, before, way[slow] as Sample)
    // The whole field is slow: only the signs show where the pit lane begins.
    if (sign.alongM - before.alongM > withinM) return sign
  }
  return null
}

/** Returns the place where the car sped up after the signs; null if it is not faster yet. */
export function spedUp(way: readonly Sample[], signs: Signs, pitMps: number): Edge | null {
  let slow = signs.last
  while (slow > signs.first && (way[slow] as Sample).speedMps > pitMps) slow--
  for (; slow < way.length - 1; slow++) {
    const after = way[slow + 1] as Sample
    if (after.speedMps > pitMps) return reaching(pitMps, way[slow] as Sample, after)
  }
  return null
}

/** Returns the place between two samples where a speed was reached. */
function reaching(mps: number, from: Sample, to: Sample): Edge {
  const change = to.speedMps - from.speedMps
  const share = Math.min(1, Math.max(0, change === 0 ? 1 : (mps - from.speedMps) / change))
  return between(from, to, share)
}

/** Returns when the car passed a place; null if it did not. Standing time there belongs to the pit lane. */
export function passing(way: readonly Sample[], placeM: number, isEnd: boolean): Edge | null {
  const index = way.findIndex(({ alongM }, at) => at > 0 && alongM >= placeM)
  const from = way[index - 1]
  const to = way[index]
  if (!from || !to || from.alongM > placeM) return null
  const share = (placeM - from.alongM) / Math.max(to.alongM - from.alongM, 0.1)
  const stoodMs = to.stoodMs - from.stoodMs
  const { atMs } = between(from, { ...to, atMs: to.atMs - stoodMs }, share)
  return { atMs: isEnd ? atMs + stoodMs : atMs, alongM: placeM }
}

function between(from: Edge, to: Edge, share: number): Edge {
  return {
    atMs: from.atMs + (to.atMs - from.atMs) * share,
    alongM: from.alongM + (to.alongM - from.alongM) * share,
  }
}
