import { isRecord, readJson, type TextStore } from '#client/textStore.ts'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { lapKinds, lapReferences, yellowMessages } from '#contract/shared/lapKinds.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import { lapsKey } from '#web/device/lapsKey.ts'
import type { Comparison } from '#web/laps/lapBoard.ts'
import { isVisit } from './driveVisits.ts'

/** The laps of a drive and its visits to the pits, for a reload without a network. */
export interface StoredLaps {
  readonly laps: readonly Lap[]
  readonly visits: readonly PitVisit[]
  readonly comparison: Comparison
  /** Null while it is not known. */
  readonly circuit: DrivenCircuit | null
}

/** A circuit in one of its versions. */
export interface DrivenCircuit extends GivenCircuit {
  readonly version: number
}

/** Returns the part of a circuit that the lap timer needs. */
export function drivenCircuit(circuit: SessionCircuit): DrivenCircuit {
  const { id, version, outline, line, pitLane } = circuit
  return { id, version, outline, line, ...(pitLane && { pitLane }) }
}

/** Reads the laps of a session that an earlier page of this device stored; null if there are none. */
export function readLaps(store: TextStore, sessionId: string): StoredLaps | null {
  const stored = readJson(store, lapsKey)
  if (!isRecord(stored) || stored.sessionId !== sessionId) return null
  const { laps, visits, comparison, circuit } = stored
  if (!Array.isArray(laps) || !laps.every(isLap) || !isComparison(comparison)) return null
  return {
    laps,
    visits: Array.isArray(visits) ? visits.filter(isVisit) : [],
    comparison,
    circuit: isCircuit(circuit) ? circuit : null,
  }
}

/** Stores the laps of a session. They replace the stored laps of another session. */
export function storeLaps(store: TextStore, sessionId: string, laps: StoredLaps) {
  store.write(lapsKey, JSON.stringify({ sessionId, ...laps }))
}

export function deleteStoredLaps(store: TextStore) {
  store.remove(lapsKey)
}

/**
 * Deletes the stored laps unless their session is still timed: it may have ended, or its lap timing been turned off,
 * while the drive screen was closed. Keeps them if that is not known.
 */
export async function deleteUntimedLaps(
  store: TextStore,
  isTimed: (sessionId: string) => Promise<boolean | null>,
) {
  const stored = readJson(store, lapsKey)
  if (!isRecord(stored) || typeof stored.sessionId !== 'string') return
  if ((await isTimed(stored.sessionId)) === false) deleteStoredLaps(store)
}

function isLap(value: unknown): value is Lap {
  return (
    isRecord(value) &&
    [value.number, value.startedAt, value.timeMs, value.plusMinusMs].every(Number.isFinite) &&
    lapKinds.some(kind => kind === value.kind) &&
    typeof value.isSeen === 'boolean' &&
    typeof value.yellow === 'boolean' &&
    typeof value.marked === 'boolean' &&
    (value.yellowFlag == null || typeof value.yellowFlag === 'string') &&
    (value.yellowMessage === null || yellowMessages.some(type => type === value.yellowMessage))
  )
}

function isComparison(value: unknown): value is Comparison {
  return (
    isRecord(value) &&
    lapReferences.some(reference => reference === value.with) &&
    (value.targetMs === null || Number.isFinite(value.targetMs))
  )
}

function isCircuit(value: unknown): value is DrivenCircuit {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    Number.isInteger(value.version) &&
    Array.isArray(value.outline) &&
    value.outline.length >= 3 &&
    [...value.outline, value.line].every(isPlace) &&
    (value.pitLane === undefined || isPitLane(value.pitLane))
  )
}

function isPitLane(value: unknown): boolean {
  return isRecord(value) && isPlace(value.in) && isPlace(value.out)
}

function isPlace(value: unknown): boolean {
  return isRecord(value) && Number.isFinite(value.latitude) && Number.isFinite(value.longitude)
}
