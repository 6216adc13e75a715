import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { FixOwner, UnsentFix } from '#client/fixes/unsentFixes.ts'
import { fixDatabase } from '../device/stored.ts'

type Key = [userId: string, sessionId: string, at: number]

interface Fixes extends DBSchema {
  /** Fixes still to be uploaded. */
  fixes: { key: Key; value: UnsentFix & FixOwner; indexes: { at: number } }
  /** Fixes sent on a connection and not acknowledged yet. */
  sent: { key: Key; value: UnsentFix & FixOwner }
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
    // Unsent fixes must survive an upgrade: each later version needs its own step, which must not delete a store.
    upgrade(database, oldVersion) {
      if (oldVersion >= 2) return
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
