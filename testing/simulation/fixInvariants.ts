import { placeOf } from './receiver.ts'
import type { FixRecord } from './record.ts'
import type { World } from './world.ts'

interface PositionRow {
  at: Date
  latitude: number
  longitude: number
}

/** Tolerances for fix times, of a synchronised clock and of corrected times. */
const toleranceMs = { sure: 2500, corrected: 5000 }

/** An undated reading is sent with the next connection, while it is the newest one. */
const replacedWithinMs = 10_000

/**
 * Finds a fix that a device stored but the database lacks, unless the driver deleted it or the session had
 * ended.
 */
export async function missingFix(world: World): Promise<string | null> {
  const { record, sessionId } = world
  const rows = await positionsOf(world)
  const stored = new Set(rows.map(({ latitude, longitude }) => placeOf(latitude, longitude)))
  const times = new Set(
    rows.flatMap(({ at, latitude, longitude }) => [
      at.getTime(),
      ...(record.fixes.get(placeOf(latitude, longitude))?.storedAtMs ?? []),
    ]),
  )
  const [session] = await world.database.run<{ date_ended: Date | null }>(
    'select date_ended from sessions where id = $1',
    [sessionId],
  )
  const endedMs = session?.date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  const reachable = new Set(
    world.screens.filter(({ page }) => page.isAlive).map(({ settings }) => settings.device.name),
  )
  for (const [place, fix] of record.fixes) {
    const { isStored, takenAtMs, storedAtMs, device } = fix
    if (!isStored || stored.has(place) || !reachable.has(device)) continue
    if (wasUndatable(world, fix)) continue
    // Still in flight: it is stored with the next write.
    if (takenAtMs > world.time.now - 3000 || takenAtMs > endedMs - 6000) continue
    if (record.deletions.some(({ toMs }) => takenAtMs <= toMs + 6000)) continue
    // Two readings of one millisecond, even from two devices, are stored as one fix. On the device, so are two whose
    // times are equal until one of them is corrected.
    if ([Math.round(takenAtMs), ...storedAtMs].some(at => times.has(at))) continue
    return `the fix at ${place} of ${new Date(takenAtMs).toISOString()} on ${device} is not stored`
  }
  return null
}

/** Checks that no fix is stored twice or with a wrong time. */
export async function checkFixes(world: World) {
  const { record } = world
  const seen = new Set<string>()
  for (const { at, latitude, longitude } of await positionsOf(world)) {
    record.count('positions stored')
    const place = placeOf(latitude, longitude)
    const fix = record.fixes.get(place)
    if (!fix) record.violate('a position was stored that no receiver measured', place)
    if (!fix) continue
    if (seen.has(place) && !isDuplicateAllowed(world, fix))
      record.violate('a fix was stored twice', place)
    seen.add(place)
    if (wasUndatable(world, fix)) continue
    const errorMs = Math.abs(at.getTime() - fix.takenAtMs)
    if (errorMs > (fix.isClockSynchronized ? toleranceMs.sure : toleranceMs.corrected))
      record.violate(
        'a fix has a wrong time',
        `${place} is off by ${Math.round(at.getTime() - fix.takenAtMs)} ms ${JSON.stringify(fix)}`,
      )
  }
}

/** A time taken by the device's own clock cannot be corrected if that clock was set afterwards. */
function wasUndatable({ record }: World, fix: FixRecord): boolean {
  return (
    !fix.isClockSynchronized &&
    record.clockSets.some(set => set.device === fix.device && set.atMs >= fix.takenAtMs)
  )
}

/**
 * A reading taken before its time was known is queued. Sent later, it replaces the queued copy. If the device
 * fails to store that, and the page ends, the next page corrects the copy by the wall clock, to another
 * millisecond.
 */
function isDuplicateAllowed({ record }: World, fix: FixRecord): boolean {
  return (
    !fix.isClockSynchronized &&
    record.storageOutages.some(
      ({ device, fromMs, toMs }) =>
        device === fix.device &&
        toMs >= fix.takenAtMs &&
        fromMs <= fix.takenAtMs + replacedWithinMs,
    )
  )
}

function positionsOf({ database, sessionId }: World): Promise<PositionRow[]> {
  return database.run<PositionRow>(
    'select at, latitude, longitude from positions where session_id = $1 order by at',
    [sessionId],
  )
}
