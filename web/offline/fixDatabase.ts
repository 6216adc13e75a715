import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { DeviceTime } from '#client/time/deviceTime.ts'
import type { Fix } from '#contract/sessions/positions.ts'
import { fixDatabase } from '../device/stored.ts'

/** The driver and the session of a fix. */
export interface FixOwner {
  readonly userId: string
  readonly sessionId: string
}

/** A fix with `unsynced` must have its time corrected before it is sent. */
export type StoredFix = Fix & Pick<DeviceTime, 'unsynced'>

type Key = [userId: string, sessionId: string, at: number]

interface Fixes extends DBSchema {
  /** Fixes still to be uploaded. */
  fixes: { key: Key; value: StoredFix & FixOwner; indexes: { at: number } }
  /** Fixes sent on a connection and not acknowledged yet. */
  sent: { key: Key; value: StoredFix & FixOwner }
}

type Database = IDBPDatabase<Fixes>

let connecting: Promise<Database> | null = null
let connected: Database | null = null

/**
 * Runs an operation on the fix database. A browser may close a connection silently, so a failure is
 * retried once on a new connection. Rejects without a database, or when it is full.
 */
export async function withFixes<T>(act: (db: Database) => Promise<T>): Promise<T> {
  const db = await connect()
  try {
    return await act(db)
  } catch {
    close(db)
    return act(await connect())
  }
}

/** Opens one connection for the whole page. */
function connect(): Promise<Database> {
  const opening = (connecting ??= open())
  opening.catch(() => {
    // The next caller retries.
    if (connecting === opening) connecting = null
  })
  return opening
}

async function open(): Promise<Database> {
  const db = await openDB<Fixes>(fixDatabase, 2, {
    upgrade(database) {
      // Version 1 did not store the driver: another user of the device would have uploaded the fixes.
      for (const name of Array.from(database.objectStoreNames)) database.deleteObjectStore(name)
      const keyPath = ['userId', 'sessionId', 'at']
      database.createObjectStore('fixes', { keyPath }).createIndex('at', 'at')
      database.createObjectStore('sent', { keyPath })
    },
    // Another page wants to delete the database, or has a newer build: it must not wait for this
    // connection.
    blocking: () => close(db),
    terminated: () => close(db),
  })
  connected = db
  return db
}

function close(db: Database) {
  db.close()
  if (connected === db) connecting = null
}
