import { lengthOf, planeAround } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { fastMps, type RacingFix } from '../fix.ts'
import { CircuitFinder } from './circuitFinder.ts'
import type { FoundCircuit } from './foundCircuit.ts'
import { signedAreaM2 } from './outline.ts'

/** The part of a recording that was driven on one circuit in one direction. */
export interface CircuitDrive {
  readonly fixes: readonly RacingFix[]
  /** Null if the part closes no lap. */
  readonly circuit: FoundCircuit | null
}

/** A recording is divided into at most this number of drives: each is searched for a circuit. */
const mostDrives = 20

/** A car within this distance of the outline, or twice the reported accuracy, is on the circuit. */
const besideOutlineM = 40

/** A car has left its circuit after this distance and a lap elsewhere or against its direction. */
const leftForM = 500

/** Each metre on the circuit cancels this share of a metre elsewhere: another layout shares most of the road. */
const backShare = 0.1

/** Fixes that are followed are this far apart in time. */
const followEveryMs = 500

/** The distance over a longer gap is not counted. */
const longestGapMs = 10_000

/**
 * Outlines of the same circuit differ in length by this share, and this share of their places is close to the other. They
 * are from a few laps each, perhaps with a poor receiver.
 */
const sameLengthShare = 0.08
const sameM = 60
const samePlacesShare = 0.8
const comparedPlaces = 60

/**
 * Divides the fixes of a recording, in order of time, where the car goes to another circuit or turns round: a day in one
 * file. Each drive has a circuit, unless there is none at all.
 */
export function drivesIn(fixes: readonly RacingFix[]): CircuitDrive[] {
  const drives: CircuitDrive[] = []
  for (let start = 0; start < fixes.length; ) {
    const rest = fixes.slice(start)
    const found = firstFound(rest)
    const isLast = drives.length >= mostDrives || !found
    const count = isLast ? rest.length : leftAt(rest, found)
    const next = { fixes: rest.slice(0, count), circuit: found?.circuit ?? null }
    const last = drives.at(-1)
    if (last?.circuit && (!next.circuit || isSame(last.circuit, next.circuit)))
      drives[drives.length - 1] = { ...last, fixes: [...last.fixes, ...next.fixes] }
    else drives.push(next)
    start += count
  }
  return drives
}

interface Found {
  readonly circuit: FoundCircuit
  /** Index of the fix with which it was found. */
  readonly index: number
}

function firstFound(fixes: readonly RacingFix[]): Found | null {
  const finder = new CircuitFinder()
  for (const [index, fix] of fixes.entries()) {
    finder.add(fix)
    if (finder.found) return { circuit: finder.found, index }
  }
  finder.finish()
  return finder.found && { circuit: finder.found, index: fixes.length - 1 }
}

/** Returns the index of the first fix after the car left the circuit for good; the number of fixes if it did not. */
function leftAt(fixes: readonly RacingFix[], { circuit: { track }, index: from }: Found): number {
  const leaveM = Math.max(leftForM, track.lengthM)
  let awayM = 0
  let awaySince = from
  let last = fixes[from] as RacingFix
  let lastAlongM = nearestOnTrack(track, last).alongM
  for (let index = from + 1; index < fixes.length; index++) {
    const fix = fixes[index] as RacingFix
    const forMs = fix.atMs - last.atMs
    if (forMs < followEveryMs) continue
    const { eastM, northM } = planeAround(last).toPoint(fix)
    const wayM = lengthOf(eastM, northM)
    last = fix
    if (forMs > longestGapMs || wayM < (fastMps * forMs) / 1000) continue
    const { alongM, offM } = nearestOnTrack(track, fix)
    const stepM = aroundLap(alongM - lastAlongM, track.lengthM)
    lastAlongM = alongM
    const isNear = offM <= Math.max(besideOutlineM, 2 * (fix.accuracyM ?? 0))
    if (isNear && stepM > 0) awayM = Math.max(0, awayM - backShare * wayM)
    else {
      if (awayM === 0) awaySince = index
      awayM += wayM
      if (awayM >= leaveM) return awaySince
    }
  }
  return fixes.length
}

/** Returns a distance along the lap as the shorter one, forwards or backwards. */
function aroundLap(stepM: number, lengthM: number): number {
  return stepM - lengthM * Math.round(stepM / lengthM)
}

/** Returns whether two circuits are the same, in the same direction. */
function isSame(one: FoundCircuit, other: FoundCircuit): boolean {
  return (
    Math.abs(one.track.lengthM / other.track.lengthM - 1) <= sameLengthShare &&
    isClockwise(one) === isClockwise(other) &&
    isAlmostOn(one, other) &&
    isAlmostOn(other, one)
  )
}

function isClockwise({ track }: FoundCircuit): boolean {
  return signedAreaM2(track.points.slice(0, -1)) < 0
}

/** Returns whether almost all places of a circuit are on the other one. */
function isAlmostOn({ outline }: FoundCircuit, other: FoundCircuit): boolean {
  const track = trackOf(other.outline)
  const every = Math.max(1, Math.floor(outline.length / comparedPlaces))
  const places = outline.filter((_, index) => index % every === 0)
  const near = places.filter(place => nearestOnTrack(track, place).offM <= sameM)
  return near.length >= samePlacesShare * places.length
}
