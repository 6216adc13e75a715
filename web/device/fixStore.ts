import { type DBSchema, openDB } from 'idb'
import type { Fix } from '#contract/positions.ts'
import { fixDatabase } from './stored.ts'

/** 24 h at one a second. */
const mostKept = 86_400

interface Kept extends DBSchema {
  fixes: {
    key: [sessionId: string, at: number]
    value: Fix & { sessionId: string }
    indexes: { at: number }
  }
}

/** Fixes on this device that the server does not have, through reloads and crashes. */
export interface FixStore {
  /** Keeps them, each once by its time; beyond 24 h of them the oldest go. */
  add(sessionId: string, fixes: readonly Fix[]): Promise<void>
  /** The oldest of one session, at most `limit`; null when there are none. */
  next(limit: number): Promise<{ sessionId: string; fixes: Fix[] } | null>
  remove(sessionId: string, fixes: readonly Fix[]): Promise<void>
}

/** The browser's database. Rejects where there is none, or it is full. */
export async function openFixStore(): Promise<FixStore> {
  const db = await openDB<Kept>(fixDatabase, 1, {
    upgrade(made) {
      made.createObjectStore('fixes', { keyPath: ['sessionId', 'at'] }).createIndex('at', 'at')
    },
    // Another page wants to delete it, such as a sign-out: that must not wait for us.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  return {
    async add(sessionId, fixes) {
      const writing = db.transaction('fixes', 'readwrite')
      for (const fix of fixes) void writing.store.put({ ...fix, sessionId })
      let tooMany = (await writing.store.count()) - mostKept
      let oldest = tooMany > 0 ? await writing.store.index('at').openCursor() : null
      for (; oldest && tooMany > 0; tooMany--) {
        await oldest.delete()
        oldest = await oldest.continue()
      }
      await writing.done
    },
    async next(limit) {
      const [first] = await db.getAll('fixes', undefined, 1)
      if (!first) return null
      const { sessionId } = first
      const ofSession = IDBKeyRange.bound([sessionId, 0], [sessionId, Number.MAX_VALUE])
      const kept = await db.getAll('fixes', ofSession, limit)
      return {
        sessionId,
        fixes: kept.map(({ at, latitude, longitude, speedKmh, accuracyM }) => ({
          at,
          latitude,
          longitude,
          speedKmh,
          accuracyM,
        })),
      }
    },
    async remove(sessionId, fixes) {
      const writing = db.transaction('fixes', 'readwrite')
      for (const { at } of fixes) void writing.store.delete([sessionId, at])
      await writing.done
    },
  }
}
