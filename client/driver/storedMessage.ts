import type { Message } from '#contract/messages.ts'
import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { driverMessageKey } from '../storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

/** The driver's view of a version on this device, whether or not the server knows it. */
export interface SeenVersion {
  readonly version: number
  /** When it was first painted. */
  readonly shown: DeviceTime
  /** When the driver acknowledged it. */
  readonly copied: DeviceTime | null
}

interface StoredMessage {
  readonly message: Message
  readonly seen: SeenVersion | null
}

/** Reads the last message of a session driven on this device, for a reload without network. */
export function readDriverMessage(store: TextStore, sessionId: string): StoredMessage | null {
  const stored = readJson(store, driverMessageKey)
  if (!isRecord(stored) || stored.sessionId !== sessionId || !isMessage(stored.message)) return null
  const { message, seen } = stored
  return { message, seen: isSeen(seen) && seen.version === message.version ? seen : null }
}

/** Stores the message. It replaces a stored message of another session. */
export function storeDriverMessage(store: TextStore, sessionId: string, stored: StoredMessage) {
  const text = JSON.stringify({ sessionId, ...stored })
  store.write(driverMessageKey, text)
  // Writing failed: a reload must not show an older message.
  if (store.read(driverMessageKey) !== text) store.remove(driverMessageKey)
}

export function deleteDriverMessage(store: TextStore) {
  store.remove(driverMessageKey)
}

function isMessage(value: unknown): value is Message {
  return isRecord(value) && Number.isInteger(value.version) && Number(value.version) >= 0
}

function isSeen(value: unknown): value is SeenVersion {
  return (
    isRecord(value) &&
    Number.isInteger(value.version) &&
    isRecord(value.shown) &&
    isDeviceTime(value.shown) &&
    (value.copied === null || (isRecord(value.copied) && isDeviceTime(value.copied)))
  )
}
