import type { Stint, StoredCarRace } from '#contract/carRaces.ts'
import type { EpochMs } from '#contract/ids.ts'
import type { StintEdit } from '#contract/stints.ts'

/** A stint as a member enters it. */
export interface EnteredStint {
  readonly driverId: string | null
  readonly from: EpochMs
  /** Null: until the next stint, or no phone is in the car any more. */
  readonly to: EpochMs | null
}

/** The steps of a correction, in their order. The server applies all or none. */
export interface Edit {
  readonly edits: readonly StintEdit[]
  /** The steps that undo it. */
  readonly undo: readonly StintEdit[]
}

/** Why a stint cannot be stored as it was entered. */
export type Conflict =
  | { readonly kind: 'order' }
  | { readonly kind: 'outside'; readonly from: EpochMs; readonly to: EpochMs }
  /** Another stint would have no time left. */
  | { readonly kind: 'overlap'; readonly stint: Stint }

/** The car's stints, and the moment until which they can last. */
interface Driven {
  readonly stints: readonly Stint[]
  /** When no phone was in the car any more; while one is, now. */
  readonly end: EpochMs
}

type NewId = () => string

/**
 * Adds a stint inside an existing one, which continues afterwards if the new one ends earlier. A new stint that would
 * cover the start of another one is a conflict.
 */
export function addedStint(
  { stints, end }: Driven,
  { driverId, from, to }: EnteredStint,
  newId: NewId,
): Edit | { readonly conflict: Conflict } {
  const start = stints[0]?.from ?? end
  const index = stints.findLastIndex(stint => stint.from <= from)
  const around = stints[index]
  const next = stints[index + 1]
  const last = Math.min(around?.to ?? end, next?.from ?? end)
  if (to !== null && to <= from) return { conflict: { kind: 'order' } }
  if (!around || from <= start || from >= end || (to !== null && to > end))
    return { conflict: { kind: 'outside', from: start, to: end } }
  if (from === around.from) return { conflict: { kind: 'overlap', stint: around } }
  if (next && to !== null && to > last) return { conflict: { kind: 'overlap', stint: next } }
  const stintId = newId()
  const added: StintEdit = { kind: 'add', stintId, driverId, from }
  const removed: StintEdit = { kind: 'remove', stintId, was: { driverId, from } }
  if (to === null || to >= last) return { edits: [added], undo: [removed] }
  const restId = newId()
  const rest = { driverId: around.driverId, from: to }
  return {
    edits: [{ kind: 'add', stintId: restId, ...rest }, added],
    undo: [removed, { kind: 'remove', stintId: restId, was: rest }],
  }
}

/**
 * Corrects a stint. Its neighbours become shorter or longer; one that would have no time left is a conflict. Without
 * `to` it ends as before. `stints` are as the member saw them: the steps, and those that
 * undo them, contain the values before, so that they never replace a newer correction of another person.
 */
export function changedStint(
  { stints, end }: Driven,
  stintId: string,
  { driverId, from, to }: EnteredStint,
): Edit | { readonly conflict: Conflict } {
  const index = stints.findIndex(({ id }) => id === stintId)
  const stint = stints[index]
  const start = stints[0]?.from ?? end
  if (!stint) return { conflict: { kind: 'outside', from: start, to: end } }
  const [before, next, afterNext] = [stints[index - 1], stints[index + 1], stints[index + 2]]
  const until = to ?? stint.to
  if (until !== null && until <= from) return { conflict: { kind: 'order' } }
  if (from < start || from >= end || (until !== null && until > end))
    return { conflict: { kind: 'outside', from: start, to: end } }
  if (before && from <= before.from) return { conflict: { kind: 'overlap', stint: before } }
  if (next && until !== null && until >= (afterNext?.from ?? end))
    return { conflict: { kind: 'overlap', stint: next } }
  const own = changeOf(stint, { driverId, from })
  const edits = [own.edit]
  const undo = [own.undo]
  if (next && until !== null && until !== stint.to) {
    const neighbour = changeOf(next, { driverId: next.driverId, from: until })
    // The stint that makes room moves first, so that no stint ever starts after the next one.
    if (until > next.from) {
      edits.unshift(neighbour.edit)
      undo.push(neighbour.undo)
    } else {
      edits.push(neighbour.edit)
      undo.unshift(neighbour.undo)
    }
  }
  return { edits, undo }
}

type Values = Pick<Stint, 'driverId' | 'from'>

/** Returns the step that changes a stint, and the one that undoes it. */
function changeOf({ id: stintId, driverId, from }: Stint, entered: Values) {
  const before: Values = { driverId, from }
  const change = (wanted: Values, was: Values): StintEdit => ({
    kind: 'change',
    stintId,
    ...wanted,
    was,
  })
  return { edit: change(entered, before), undo: change(before, entered) }
}

/** Removes a stint: the one before it continues. A removed id is never reused. Returns null for the first stint. */
export function removedStint(stints: readonly Stint[], stintId: string, newId: NewId): Edit | null {
  const index = stints.findIndex(({ id }) => id === stintId)
  const stint = stints[index]
  if (!stint || index === 0) return null
  const { driverId, from } = stint
  return {
    edits: [{ kind: 'remove', stintId }],
    undo: [{ kind: 'add', stintId: newId(), driverId, from }],
  }
}

/** A time in which a driver is in two cars. */
export interface TwoCars extends Pick<Stint, 'driverId' | 'sessionId'> {
  readonly from: EpochMs
  readonly to: EpochMs
}

/** Returns the times in which drivers of this car drove another one of the race, in order of time. */
export function inTwoCars(
  { stints, otherCars }: Pick<StoredCarRace, 'stints' | 'otherCars'>,
  nowMs: EpochMs,
): TwoCars[] {
  return stints.flatMap(stint =>
    otherCars
      .filter(other => other.driverId === stint.driverId)
      .map(other => ({
        driverId: stint.driverId,
        sessionId: stint.sessionId,
        from: Math.max(stint.from, other.from),
        to: Math.min(stint.to ?? nowMs, other.to ?? nowMs),
      }))
      .filter(({ from, to }) => to > from),
  )
}
