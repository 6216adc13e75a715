import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { TeamId } from '#contract/ids.ts'
import { centreOf, distanceM, type Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import type { LearnedCircuit } from '#racing/circuits/learn.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { CircuitVersion } from './circuitVersion.ts'
import { newestVersions } from './storedCircuits.ts'

/** Outlines of one circuit differ in length by at most this share, and in all but a few places by this distance. */
const sameLengthShare = 0.1
const besideM = 60
const sameShare = 0.95

/** Places of an outline that are compared: enough for the share above, in less than a millisecond. */
const comparedPlaces = 60

/** Circuits farther away than this are others, and no more than this number are compared. */
const comparedWithinM = 30_000
const maxCompared = 5

/** Whether outlines show the learned circuit: compared before the team's circuits are locked. */
export type ComparedCircuits = ReadonlyMap<string, boolean>

/** Compares the nearest circuits of a team with a learned one, and yields between them. */
export async function compareCircuits(
  db: Kysely<Tables>,
  teamId: TeamId,
  learned: LearnedCircuit,
): Promise<ComparedCircuits> {
  const compared = new Map<string, boolean>()
  const candidates = (await newestVersions(db, teamId))
    .map(version => ({ version, farM: apartM(version, learned.outline) }))
    .sort((one, other) => one.farM - other.farM)
    .slice(0, maxCompared)
  for (const { version } of candidates) {
    compared.set(keyOf(version), isSameCircuit(version, learned))
    await setImmediate()
  }
  return compared
}

/** Returns the circuit that was learned, if it is known. Only circuits that are new since then are compared here. */
export function findSame(
  known: readonly CircuitVersion[],
  learned: LearnedCircuit,
  compared: ComparedCircuits,
): CircuitVersion | undefined {
  const isNew = ({ source }: CircuitVersion) => source === 'learned'
  return known.find(
    each => compared.get(keyOf(each)) ?? (isNew(each) && isSameCircuit(each, learned)),
  )
}

export function isSameCircuit(
  known: CircuitVersion,
  { outline, lengthM, direction }: LearnedCircuit,
): boolean {
  if (known.direction !== direction) return false
  if (Math.abs(known.lengthM / lengthM - 1) > sameLengthShare) return false
  if (apartM(known, outline) > comparedWithinM) return false
  const track = trackOf(known.outline)
  const every = Math.max(1, Math.floor(outline.length / comparedPlaces))
  const places = outline.filter((_, index) => index % every === 0)
  const near = places.filter(place => nearestOnTrack(track, place).offM <= besideM)
  return near.length >= sameShare * places.length
}

function apartM(known: CircuitVersion, [first]: readonly Position[]): number {
  return first ? distanceM(first, centreOf(known.outline)) : Number.POSITIVE_INFINITY
}

/** Versions are never changed, but shipped circuits have version 0 until they are stored. */
function keyOf({ id, version }: CircuitVersion): string {
  return `${id} ${version}`
}
