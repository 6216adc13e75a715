import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { driverChangesKey } from '../storedKeys.ts'
import { StoredQueue } from '../storedQueue.ts'
import type { TextStore } from '../textStore.ts'

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

/** Maximum number of changes stored on the device, far more than a race needs. */
export const maxStoredChanges = 100

/** Returns the unsent changes that this user made on this device, the oldest first. */
export function queueOfChanges(store: TextStore, userId: string) {
  return new StoredQueue<DueChange>({
    store,
    key: driverChangesKey,
    owner: { userId },
    isItem: value =>
      (value.kind === 'add' || value.kind === 'remove') &&
      ['sessionId', 'stintId'].every(key => typeof value[key] === 'string') &&
      (value.driverId === null || typeof value.driverId === 'string') &&
      Number.isFinite(value.after) &&
      isDeviceTime(value),
    max: maxStoredChanges,
    isSame: isSameChange,
  })
}

export function isSameChange(one: DueChange, other: DueChange): boolean {
  return one.kind === other.kind && one.stintId === other.stintId
}
