import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Fix } from '#contract/positions.ts'
import type { DeviceTime } from '#web/live/deviceTime.ts'
import { fixDatabase } from './stored.ts'

/** Who drove, and in which session. */
export interface Driven {
  readonly userId: string
  readonly sessionId: string
}

/** `unsynced`: its time has to be corrected before it is sent. */
export type StoredFix = Fix & Pick<DeviceTime, 'unsynced'>

type Key = [userId: string, sessionId: string, at: number]

interface Fixes extends DBSchema {
  /** What the server does not have. */
  fixes: { key: Key; value: StoredFix & Driven; indexes: { at: number } }
  /** What a line took and may not have brought over. */
  sent: { key: Key; value: StoredFix & Driven }
}

type Database = IDBPDatabase<Fixes>

let connecting: Promise<Database> | null = null
let connected: Database | null = null

/**
 * Does something with the database of fixes. A browser may take a connection away without a word: what
 * fails is tried once more with a new one. Rejects where there is no database, or it is full.
 */
export async function withFixes<T>(act: (db: Database) => Promise<T>): Promise<T> {
  const db = await connect()
  try {
    return await act(db)
  } catch {
    drop(db)
    return act(await connect())
  }
}

/** One connection for the whole page. */
function connect(): Promise<Database> {
  const opening = (connecting ??= open())
  opening.catch(() => {
    // Whoever asks next tries again.
    if (connecting === opening) connecting = null
  })
  return opening
}

async function open(): Promise<Database> {
  const db = await openDB<Fixes>(fixDatabase, 2, {
    upgrade(made) {
      // Version 1 did not know whose they were: the wrong person would have sent them.
      for (const name of Array.from(made.objectStoreNames)) made.deleteObjectStore(name)
      const keyPath = ['userId', 'sessionId', 'at']
      made.createObjectStore('fixes', { keyPath }).createIndex('at', 'at')
      made.createObjectStore('sent', { keyPath })
    },
    // Another page wants to delete it, or has a newer build: that must not wait for us.
    blocking: () => drop(db),
    terminated: () => drop(db),
  })
  connected = db
  return db
}

function drop(db: Database) {
  db.close()
  if (connected === db) connecting = null
}
