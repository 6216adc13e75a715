import type { FixOwner, UnsentFix } from '#client/fixes/unsentFixes.ts'
import type { Fix } from '#contract/positions.ts'
import { maxQueuedFixes } from '#contract/shared/silence.ts'
import { withFixes } from './fixDatabase.ts'

// Stores fixes on this device, through reloads and crashes, until the server has them. Each belongs to
// its driver: no other user uploads or deletes it. All of these functions reject when the device cannot
// store anything.

/**
 * Queues fixes that the server does not have, keyed by time, in place of the one with the time `replaced`.
 * Drops the oldest beyond `maxQueuedFixes` and returns how many.
 */
export function queueFixes(
  driven: FixOwner,
  fixes: readonly UnsentFix[],
  replaced?: number,
): Promise<number> {
  return withFixes(async db => {
    const writing = db.transaction('fixes', 'readwrite')
    if (replaced !== undefined) void writing.store.delete(keyOf(driven, replaced))
    for (const fix of fixes) void writing.store.put({ ...fix, ...driven })
    let excess = (await writing.store.count()) - maxQueuedFixes
    const dropped = Math.max(0, excess)
    let oldest = excess > 0 ? await writing.store.index('at').openCursor() : null
    for (; oldest && excess > 0; excess--) {
      await oldest.delete()
      oldest = await oldest.continue()
    }
    await writing.done
    return dropped
  })
}

/**
 * Stores a fix that was just sent, until it is acknowledged, and deletes obsolete ones: acknowledged by now,
 * or queued before their time was known.
 */
export function storeInFlight(
  driven: FixOwner,
  fix: UnsentFix,
  obsolete: readonly number[],
): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction(['sent', 'fixes'], 'readwrite')
    const sent = writing.objectStore('sent')
    for (const at of obsolete) {
      void sent.delete(keyOf(driven, at))
      void writing.objectStore('fixes').delete(keyOf(driven, at))
    }
    void sent.put({ ...fix, ...driven })
    await writing.done
  })
}

/**
 * Moves unacknowledged fixes back into the queue, after a connection or a page was lost. The queue may then exceed
 * `maxQueuedFixes`, until the next `queueFixes`.
 */
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

/**
 * Returns at most `limit` of the oldest queued fixes of this user's first session, by its id, or the first one after
 * `after`; null if there are none.
 */
export function nextQueued(
  userId: string,
  limit: number,
  after: string | null,
): Promise<{ driven: FixOwner; fixes: UnsentFix[] } | null> {
  return withFixes(async db => {
    const [first] = await db.getAll('fixes', allOf(userId, after), 1)
    if (!first) return null
    const driven = { userId, sessionId: first.sessionId }
    const queued = await db.getAll('fixes', allOfSession(driven), limit)
    return { driven, fixes: queued.map(withoutOwner) }
  })
}

/** Returns the queued fixes of a drive whose times still have to be corrected, in order of time. */
export function undatedOf(driven: FixOwner): Promise<UnsentFix[]> {
  return withFixes(async db => {
    const queued = await db.getAll('fixes', allOfSession(driven))
    return queued.filter(({ unsynced }) => unsynced).map(withoutOwner)
  })
}

/**
 * Stores fixes under their corrected times, except those that were deleted since they were read, as at sign-out.
 * A fix already stored at that time is the same reading, unless its own time still has to be corrected: then the next
 * free millisecond is used.
 */
export function correctTimes(
  driven: FixOwner,
  corrected: readonly { storedAt: number; fix: Fix }[],
): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction('fixes', 'readwrite')
    const present: Fix[] = []
    for (const { storedAt, fix } of corrected) {
      const key = keyOf(driven, storedAt)
      if ((await writing.store.getKey(key)) === undefined) continue
      void writing.store.delete(key)
      present.push(fix)
    }
    for (const fix of present) {
      let at = fix.at
      while ((await writing.store.get(keyOf(driven, at)))?.unsynced) at += 1
      await writing.store.put({ ...fix, at, ...driven })
    }
    await writing.done
  })
}

/** Returns the fixes of a drive that the server may not have, in order of time. */
export function unsentFixesOf(driven: FixOwner): Promise<UnsentFix[]> {
  return withFixes(async db => {
    const reading = db.transaction(['fixes', 'sent'])
    const ofSession = allOfSession(driven)
    const [queued, sent] = await Promise.all([
      reading.objectStore('fixes').getAll(ofSession),
      reading.objectStore('sent').getAll(ofSession),
    ])
    return [...queued, ...sent].sort((a, b) => a.at - b.at)
  })
}

/** Counts this user's queued and unacknowledged fixes. */
export function countUnsent(userId: string): Promise<number> {
  return withFixes(async db => {
    const reading = db.transaction(['fixes', 'sent'])
    const [queued, sent] = await Promise.all([
      reading.objectStore('fixes').count(allOf(userId)),
      reading.objectStore('sent').count(allOf(userId)),
    ])
    return queued + sent
  })
}

export function deleteQueued(driven: FixOwner, fixes: readonly Pick<Fix, 'at'>[]): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction('fixes', 'readwrite')
    for (const { at } of fixes) void writing.store.delete(keyOf(driven, at))
    await writing.done
  })
}

export function deleteAllOf(userId: string): Promise<void> {
  return withFixes(async db => {
    const writing = db.transaction(['fixes', 'sent'], 'readwrite')
    void writing.objectStore('fixes').delete(allOf(userId))
    void writing.objectStore('sent').delete(allOf(userId))
    await writing.done
  })
}

/** Writes, reads and deletes a test fix: resolves only if fixes can really be stored. */
export function probeStorage(): Promise<void> {
  return withFixes(async db => {
    const nobody = { userId: '', sessionId: '' }
    const none = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }
    // A single transaction, so the test fix is never visible to others.
    const test = db.transaction('sent', 'readwrite')
    const key = await test.store.put({ at: 0, ...none, ...nobody })
    if (!(await test.store.get(key))) throw new Error('The test fix could not be read back')
    await test.store.delete(key)
    await test.done
  })
}

function keyOf({ userId, sessionId }: FixOwner, at: number): [string, string, number] {
  return [userId, sessionId, at]
}

function withoutOwner({ userId: _user, sessionId: _session, ...fix }: UnsentFix & FixOwner) {
  return fix
}

function allOfSession(driven: FixOwner): IDBKeyRange {
  return IDBKeyRange.bound(keyOf(driven, 0), keyOf(driven, Number.MAX_VALUE))
}

/** In IndexedDB's key order an array sorts after every string. */
function allOf(userId: string, afterSession: string | null = null): IDBKeyRange {
  const lower = afterSession === null ? [userId] : [userId, afterSession, []]
  return IDBKeyRange.bound(lower, [userId, []])
}
