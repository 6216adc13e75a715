import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, RaceId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import {
  maxLineLetters,
  maxLinesOfBatch,
  maxTeamTimingLetters,
  maxTimingLetters,
  timingKeptDays,
} from '#contract/shared/timingRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import { type SeenFlag, silentAfterMs, withSeen } from '#racing/timing/flagPeriods.ts'
import { flagsIn } from '#racing/timing/flagsIn.ts'
import { keepNewest } from '../db/keepNewest.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type ChangedYellow, refreshYellow } from '../laps/refreshYellow.ts'
import { lockRace } from '../rights/teamOfRace.ts'
import type { OfficialTimings } from './officialTiming.ts'
import { sourceKinds } from './sourceKinds.ts'

/** The text of the largest batch. */
const maxBatchLetters = maxLinesOfBatch * (maxLineLetters + 1)

interface NewSource {
  raceId: RaceId
  source: TimingSource | null
  /** Null deletes the stored token. Absent: that of the same provider stays. */
  token?: string | null | undefined
  /** The flags so far are those of another race. */
  forgetFlags?: boolean | undefined
  now: EpochMs
}

/**
 * Sets the source of a race, and returns the laps that this changes. A different source starts an empty feed, and so
 * does the same one if its next batch may exceed the limit; null deletes the feed and its flags. The flag of a replaced
 * source ends. Refuses with `not-a-member` if the race does not exist, and with `invalid-input` if a provider has no
 * token.
 */
export async function storeSource(
  trx: Kysely<Tables>,
  { raceId, source, token, forgetFlags, now }: NewSource,
): Promise<ChangedYellow[]> {
  // Serialises two members who set a source at the same time.
  await lockRace(trx, raceId)
  const before = await trx
    .selectFrom('race_timings')
    .select(['source', 'letters', 'failure', 'secret'])
    .where('race_id', '=', raceId)
    .executeTakeFirst()
  const isFull = before && before.letters > maxTimingLetters - maxBatchLetters
  const secret = secretOf(source, token, before)
  const isSame = before !== undefined && isDeepStrictEqual(before.source, source)
  if (isSame && !isFull) {
    // The team may have deleted the timing of another race since.
    const failure = before.failure === 'full' ? null : before.failure
    await trx
      .updateTable('race_timings')
      // Another token has limits of its own.
      .set({ failure, secret, ...(secret !== before.secret && { retry_at: null }) })
      .where('race_id', '=', raceId)
      .execute()
  } else {
    await trx.deleteFrom('race_timings').where('race_id', '=', raceId).execute()
    if (source)
      await trx
        .insertInto('race_timings')
        .values({ race_id: raceId, id: randomUUID(), source: JSON.stringify(source), secret })
        .execute()
  }
  if (source === null || forgetFlags) {
    await trx.deleteFrom('official_flags').where('race_id', '=', raceId).execute()
    return refreshYellow(trx, raceId, 0)
  }
  if (!before || isSame) return []
  const sinceMs = await storeFlags(trx, raceId, [{ flag: null, fromMs: now, seenMs: now }])
  return sinceMs === null ? [] : refreshYellow(trx, raceId, sinceMs)
}

/** Returns the token of a provider; null for a source without one. */
function secretOf(
  source: TimingSource | null,
  token: string | null | undefined,
  before: { source: TimingSource; secret: string | null } | undefined,
): string | null {
  if (!source || !sourceKinds[source.kind].needsToken || token === null) return null
  const secret = token ?? (before?.source.kind === source.kind ? before.secret : null)
  if (secret === null)
    throw new Refusal('invalid-input', { fields: { token: 'timing-token-missing' } })
  return secret
}

interface Batch {
  /** Null for the number after the newest. */
  number: number | null
  lines: readonly string[]
  /** When its newest line was received, and how much later it arrived here. */
  receivedAt: EpochMs
  ageMs?: number
  /** The node that received it, which must have claimed the source; absent for a pushed one. */
  owner?: string
}

/** The result of a batch. */
export interface AddedBatch {
  raceId: RaceId
  /** The number of the newest batch. */
  number: number
  /** Laps that an official flag has made yellow, or green again. */
  changed: ChangedYellow[]
  /** True if it changed the flags of the race: one of them may finish it. */
  hasFlag: boolean
}

/**
 * Adds lines to a feed of official timing, and their flags to its race. Idempotent: a number up to that of the newest
 * batch adds nothing. Returns null if the feed does not exist, or has another owner. Refuses with `invalid-input` if
 * the race or its team would exceed its limit.
 */
export async function addBatch(
  db: Kysely<Tables>,
  feedId: string,
  { number, lines, receivedAt, ageMs = 0, owner }: Batch,
): Promise<AddedBatch | null> {
  // PostgreSQL cannot store NUL in a text.
  const text = lines.join('\n').replaceAll('\0', '')
  return db.transaction().execute(async trx => {
    const feed = await trx
      .selectFrom('race_timings')
      .select(['race_id', 'source', 'newest', 'letters'])
      .select(
        sql<number>`(
        select sum(t.letters) from race_timings t join races r on r.id = t.race_id
        where r.team_id = (select team_id from races where races.id = race_timings.race_id)
      )`.as('team_letters'),
      )
      .where('id', '=', feedId)
      .$if(owner !== undefined, query => query.where('owner', '=', owner ?? ''))
      .forUpdate()
      .executeTakeFirst()
    if (!feed) return null
    const next = number ?? feed.newest + 1
    const raceId = feed.race_id
    if (next <= feed.newest) return { raceId, number: feed.newest, changed: [], hasFlag: false }
    const letters = feed.letters + text.length
    if (letters > maxTimingLetters) throw new Refusal('invalid-input', { detail: 'timing-full' })
    if (feed.team_letters + text.length > maxTeamTimingLetters)
      throw new Refusal('invalid-input', { detail: 'timings-too-many' })
    await trx
      .updateTable('race_timings')
      .set({ newest: next, letters })
      .where('id', '=', feedId)
      .execute()
    await trx
      .insertInto('timing_batches')
      .values({ feed_id: feedId, number: next, received_at: new Date(receivedAt), lines: text })
      .execute()
    if (!sourceKinds[feed.source.kind].reachesGlass)
      return { raceId, number: next, changed: [], hasFlag: false }
    const sinceMs = await storeFlags(trx, raceId, flagsIn(text, receivedAt))
    const isPast = sinceMs !== null && sinceMs <= receivedAt + ageMs
    const changed = isPast ? await refreshYellow(trx, raceId, sinceMs) : []
    return { raceId, number: next, changed, hasFlag: sinceMs !== null }
  })
}

/**
 * Deletes lines that were received more than `timingKeptDays` ago, and what this node has read from them: they are
 * about other teams.
 */
export async function deleteOldTiming(
  db: Kysely<Tables>,
  timings: Pick<OfficialTimings, 'forgetBefore'>,
  now: EpochMs,
) {
  const before = new Date(now - timingKeptDays * dayMs)
  await db.deleteFrom('timing_batches').where('received_at', '<', before).execute()
  await db
    .updateTable('race_timings')
    .set({ letters: 0 })
    .where('letters', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('timing_batches').select('number').whereRef('feed_id', '=', 'race_timings.id'),
        ),
      ),
    )
    .execute()
  timings.forgetBefore(before.getTime())
}

/**
 * Stores the flags that a source of a race has stated, in order of time. A flag that is known at a time is not
 * replaced. Returns the time from which the flags of the race have changed; null if they have not.
 */
async function storeFlags(
  trx: Kysely<Tables>,
  raceId: RaceId,
  flags: readonly SeenFlag[],
): Promise<EpochMs | null> {
  let sinceMs: EpochMs | null = null
  for (const flag of flags) {
    const before = await lastBefore(trx, raceId, flag.fromMs)
    const seen = withSeen(before, flag)
    if (!seen) continue
    const seen_at = new Date(seen.seenMs)
    await trx
      .insertInto('official_flags')
      .values({ race_id: raceId, at: new Date(seen.fromMs), seen_at, flag: seen.flag })
      .onConflict(conflict =>
        conflict.columns(['race_id', 'at']).doUpdateSet({ seen_at, flag: seen.flag }),
      )
      .execute()
    const isNew = seen.fromMs !== before?.fromMs
    const { max } = storedBounds.officialFlags
    if (isNew) await keepNewest(trx, 'official_flags', { of: { race_id: raceId }, max })
    const silentMs = before ? silentAfterMs(before) : flag.fromMs
    sinceMs = Math.min(sinceMs ?? silentMs, silentMs, isNew ? flag.fromMs : silentMs)
  }
  return sinceMs
}

async function lastBefore(
  trx: Kysely<Tables>,
  raceId: RaceId,
  atMs: EpochMs,
): Promise<SeenFlag | undefined> {
  const row = await trx
    .selectFrom('official_flags')
    .select(['flag', 'at', 'seen_at'])
    .where('race_id', '=', raceId)
    .where('at', '<=', new Date(atMs))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { flag: row.flag, fromMs: row.at.getTime(), seenMs: row.seen_at.getTime() }
}
