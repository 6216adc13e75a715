import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { driverChangesKey } from '../storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

/** A driver change made in the car, or its undoing, with the time of the tap. */
export interface DueChange extends DeviceTime {
  readonly kind: 'add' | 'remove'
  readonly sessionId: string
  readonly stintId: string
  /** Null: the person who started the session. */
  readonly driverId: string | null
  /** Start of the previous stint. A change by an unsynchronised clock must not come before it. */
  readonly after: number
}

interface StoredChange extends DueChange {
  readonly userId: string
}

/** Maximum number of changes stored on the device, far more than a race needs. */
export const maxStoredChanges = 100

/** Reads the unsent changes that this user made on this device, the oldest first. */
export function readChanges(store: TextStore, userId: string): DueChange[] {
  return allStored(store)
    .filter(each => each.userId === userId)
    .map(({ userId: _user, ...change }) => change)
}

/** Replaces the unsent changes of a user. Those of other users stay. */
export function storeChanges(store: TextStore, userId: string, due: readonly DueChange[]) {
  const others = allStored(store).filter(each => each.userId !== userId)
  const stored = [...others, ...due.map(change => ({ ...change, userId }))]
  if (stored.length === 0) store.remove(driverChangesKey)
  else store.write(driverChangesKey, JSON.stringify(stored.slice(-maxStoredChanges)))
}

function allStored(store: TextStore): StoredChange[] {
  const stored = readJson(store, driverChangesKey)
  return Array.isArray(stored) ? stored.filter(isStored) : []
}

function isStored(value: unknown): value is StoredChange {
  return (
    isRecord(value) &&
    (value.kind === 'add' || value.kind === 'remove') &&
    ['userId', 'sessionId', 'stintId'].every(key => typeof value[key] === 'string') &&
    (value.driverId === null || typeof value.driverId === 'string') &&
    Number.isFinite(value.after) &&
    isDeviceTime(value)
  )
}
