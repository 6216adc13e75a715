import type { Fix } from '#contract/positions.ts'
import { type Driven, type StoredFix, withFixes } from './fixDatabase.ts'

// Fixes on this device, through reloads and crashes, until the server has them. Each belongs to who drove:
// nobody else sends or deletes it. All of these reject where the device can keep nothing.

/** 24 h at one a second. */
const mostKept = 86_400

/**
 * Queues fixes that the server does not have, each once by its time. Beyond 24 h of them the oldest are
 * dropped: returns how many.
 */
export function keepFixes(driven: Driven, fixes: readonly StoredFix[]): Promise<number> {
  return withFixes(async db => {
    const writing = db.transaction('fixes', 'readwrite')
    for (const fix of fixes) void writing.store.put({ ...fix, ...driven })
    let tooMany = (await writing.store.count()) - mostKept
    const dropped = Math.max(0, tooMany)
    let oldest = tooMany > 0 ? await writing.store.index('at').openCursor() : null
    for (; oldest && tooMany > 0; tooMany--) {
      await oldest.delete()
      oldest = await oldest.continue()
    }
    await writing.done
    return dropped
  })
}

/** A line took this one: it is kept until it is said to have arrived, as those of the given times are now. */
export function keepSent(
  driven: Driven,
  fix: StoredFix,
  arrived: readonly number[],
): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction('sent', 'readwrite')
    for (const at of arrived) void writing.store.delete(keyOf(driven, at))
    void writing.store.put({ ...fix, ...driven })
    await writing.done
  })
}

/** What was sent and is not known to have arrived counts as not sent: of a line that fell, or a page that ended. */
export function requeueInFlight(): Promise<void> {
  return withFixes(async db => {
    const moving = db.transaction(['sent', 'fixes'], 'readwrite')
    for (const fix of await moving.objectStore('sent').getAll()) {
      void moving.objectStore('fixes').put(fix)
    }
    void moving.objectStore('sent').clear()
    await moving.done
  })
}

/** The oldest of one of this user's sessions, at most `limit`; null when there are none. */
export function nextKept(
  userId: string,
  limit: number,
): Promise<{ driven: Driven; fixes: StoredFix[] } | null> {
  return withFixes(async db => {
    const [first] = await db.getAll('fixes', allOf(userId), 1)
    if (!first) return null
    const driven = { userId, sessionId: first.sessionId }
    const ofSession = IDBKeyRange.bound(keyOf(driven, 0), keyOf(driven, Number.MAX_VALUE))
    const kept = await db.getAll('fixes', ofSession, limit)
    return {
      driven,
      fixes: kept.map(({ at, latitude, longitude, speedKmh, accuracyM, unsynced }) => ({
        at,
        latitude,
        longitude,
        speedKmh,
        accuracyM,
        ...(unsynced && { unsynced }),
      })),
    }
  })
}

/**
 * Stores fixes under their corrected times. A fix that is stored at that time already is the same
 * reading, unless its own time still has to be corrected: then the next free millisecond is taken.
 */
export function correctTimes(
  driven: Driven,
  corrected: readonly { storedAt: number; fix: Fix }[],
): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction('fixes', 'readwrite')
    for (const { storedAt } of corrected) void writing.store.delete(keyOf(driven, storedAt))
    for (const { fix } of corrected) {
      let at = fix.at
      while ((await writing.store.get(keyOf(driven, at)))?.unsynced) at += 1
      await writing.store.put({ ...fix, at, ...driven })
    }
    await writing.done
  })
}

/** How many of this user's fixes the server does not have, or may not have. */
export function countKept(userId: string): Promise<number> {
  return withFixes(async db => {
    const reading = db.transaction(['fixes', 'sent'])
    const [kept, sent] = await Promise.all([
      reading.objectStore('fixes').count(allOf(userId)),
      reading.objectStore('sent').count(allOf(userId)),
    ])
    return kept + sent
  })
}

export function forgetKept(driven: Driven, fixes: readonly Pick<Fix, 'at'>[]): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction('fixes', 'readwrite')
    for (const { at } of fixes) void writing.store.delete(keyOf(driven, at))
    await writing.done
  })
}

export function forgetAllOf(userId: string): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction(['fixes', 'sent'], 'readwrite')
    void writing.objectStore('fixes').delete(allOf(userId))
    void writing.objectStore('sent').delete(allOf(userId))
    await writing.done
  })
}

/** Writes, reads and deletes one: resolves only where fixes can really be kept. */
export function tryKeeping(): Promise<void> {
  return withFixes(async db => {
    const nobody = { userId: '', sessionId: '' }
    const none = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }
    // In one transaction: nobody else ever sees it.
    const trying = db.transaction('sent', 'readwrite')
    const key = await trying.store.put({ at: 0, ...none, ...nobody })
    if (!(await trying.store.get(key))) throw new Error('What was written is not there')
    await trying.store.delete(key)
    await trying.done
  })
}

function keyOf({ userId, sessionId }: Driven, at: number): [string, string, number] {
  return [userId, sessionId, at]
}

/** An array comes after every string. */
function allOf(userId: string): IDBKeyRange {
  return IDBKeyRange.bound([userId], [userId, []])
}
