import type { Message } from '#contract/messages.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'
import { type DeviceTime, isDeviceTime } from '../time/deviceTime.ts'
import { driverMessageKey } from './storedKeys.ts'

/** What the driver saw of a version on this device, whether or not the server knows. */
export interface Seen {
  readonly version: number
  /** When it was painted for the first time. */
  readonly shown: DeviceTime
  /** When the driver acknowledged it. */
  readonly copied: DeviceTime | null
}

interface StoredMessage {
  readonly message: Message
  readonly seen: Seen | null
}

/** The last message of a session that this device drove, as before a reload without network. */
export function readDriverMessage(store: TextStore, sessionId: string): StoredMessage | null {
  const stored = readJson(store, driverMessageKey)
  if (!isRecord(stored) || stored.sessionId !== sessionId || !isMessage(stored.message)) return null
  const { message, seen } = stored
  return { message, seen: isSeen(seen) && seen.version === message.version ? seen : null }
}

/** Replaces the one of any other session. */
export function storeDriverMessage(store: TextStore, sessionId: string, stored: StoredMessage) {
  // Where writing fails an older word must not stay: a reload would show it.
  store.remove(driverMessageKey)
  store.write(driverMessageKey, JSON.stringify({ sessionId, ...stored }))
}

/** There is nothing to drive any more. */
export function forgetDriverMessage(store: TextStore) {
  store.remove(driverMessageKey)
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && Number.isInteger(value.version) && Number(value.version) >= 0
}

function isSeen(value: unknown): value is Seen {
  return (
    isRecord(value) &&
    Number.isInteger(value.version) &&
    isRecord(value.shown) &&
    isDeviceTime(value.shown) &&
    (value.copied === null || (isRecord(value.copied) && isDeviceTime(value.copied)))
  )
}
