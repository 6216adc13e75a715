import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, RaceId, TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { type FollowedRace, followedRace } from '#racing/timing/followedRace.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { publishActiveInRace } from '../laps/publishInRace.ts'
import type { Live } from '../live/publish/live.ts'
import { savedRace } from '../races/races.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import type { OfficialTimings } from './officialTiming.ts'
import { oncePerId } from './oncePerId.ts'

type Context = Pick<AppContext, 'db' | 'clock' | 'log'> & { live: Pick<Live, 'publish'> }

/** Interval at which a node looks for paused races whose feed has become silent. */
const checkEveryMs = 3000

/**
 * Lets the clocks of races follow race control's. Pauses, extensions and corrections of the start are stored like those
 * of a person, whose change of the clock ends this.
 */
export class RaceClocks {
  readonly #context: Context
  readonly #timings: OfficialTimings
  /** Follows the clock of a feed after its lines were stored. */
  readonly update: (feedId: string) => void
  /** Stops the checks for silent feeds. */
  readonly close: () => void

  constructor(context: Context, timings: OfficialTimings) {
    this.#context = context
    this.#timings = timings
    const failed = (err: unknown, feed?: string) =>
      context.log.warn({ err, feed }, 'failed to follow the clock of official timing')
    this.update = oncePerId(async (feedId: string) => {
      const race = await followingRace(context.db, feedId)
      if (race) await this.follow(race, false)
    }, failed)
    this.close = context.clock.every(checkEveryMs, () => {
      void silentFeeds(context.db, context.clock.now()).then(
        feeds => feeds.forEach(this.update),
        err => failed(err),
      )
    })
  }

  /** Changes the clock of a race that follows its feed. `isFirst` is the confirmation. */
  async follow({ raceId, teamId }: { raceId: RaceId; teamId: TeamId }, isFirst: boolean) {
    const { db, live, clock } = this.#context
    // Ages of the clock count from here, however long the transaction waits.
    const nowMs = clock.now()
    const official = await this.#timings.clockOf(db, raceId, nowMs)
    const isChanged = await db.transaction().execute(async trx => {
      await lockTeam(trx, teamId)
      const following = await trx
        .selectFrom('race_timings')
        .select('followed_run as run')
        .where('race_id', '=', raceId)
        .where('followed_run', 'is not', null)
        .executeTakeFirst()
      if (!following) return false
      if (official && official.run !== following.run) {
        const isOther = !isFirst && following.run !== ''
        // The clock of another run is not that of this race.
        await storeFollowedRun(trx, raceId, isOther ? null : official.run)
        if (isOther) return true
      }
      const next = followedRace(await savedRace(trx, raceId), official, { nowMs, isFirst })
      if (!next) return false
      await storeClock(trx, raceId, next)
      return true
    })
    if (!isChanged) return
    live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
    await publishActiveInRace({ db, live }, raceId)
  }
}

/**
 * Lets a race follow race control's clock from now on. Refuses with `race-changed` if its clock is not `was`: an undo, which
 * restores that, would lose the change of another person.
 */
export async function startFollowing(
  trx: Kysely<Tables>,
  raceId: RaceId,
  was: FollowedRace | undefined,
) {
  const following = await trx
    .selectFrom('race_timings')
    .select('followed_run')
    .where('race_id', '=', raceId)
    .executeTakeFirst()
  // A repetition finds a clock that has followed.
  if (was && following?.followed_run == null) {
    const { startedAt, pauses, length } = await savedRace(trx, raceId)
    if (!isDeepStrictEqual({ startedAt, pauses, length }, was))
      throw new Refusal('invalid-input', { detail: 'race-changed' })
  }
  await storeFollowedRun(trx, raceId, '')
}

/**
 * Ends that a race follows race control's clock. `was` is its clock before the confirmation, which is restored unless a
 * person has changed it since.
 */
export async function stopFollowing(
  trx: Kysely<Tables>,
  raceId: RaceId,
  { was, now }: { was: FollowedRace | undefined; now: EpochMs },
) {
  const { numUpdatedRows } = await trx
    .updateTable('race_timings')
    .set({ followed_run: null })
    .where('race_id', '=', raceId)
    .where('followed_run', 'is not', null)
    .executeTakeFirst()
  if (!was || numUpdatedRows === 0n) return
  const past = (at: EpochMs) => Math.min(at, now)
  const startedAt = was.startedAt === null ? null : past(was.startedAt)
  const pauses = was.pauses.map(({ from, to }) => {
    return { from: past(from), to: to === null ? null : past(to) }
  })
  await storeClock(trx, raceId, { ...was, startedAt, pauses })
}

async function storeClock(
  trx: Kysely<Tables>,
  raceId: RaceId,
  { startedAt, pauses, length }: FollowedRace,
) {
  await trx
    .updateTable('races')
    .set({
      started_at: startedAt === null ? null : new Date(startedAt),
      pauses: JSON.stringify(pauses),
      length_ms: length?.in === 'time' ? length.ms : null,
      length_laps: length?.in === 'laps' ? length.laps : null,
    })
    .where('id', '=', raceId)
    .execute()
}

/** Stores the name of the run whose clock a race follows, empty if it is not known; null: it follows none. */
async function storeFollowedRun(trx: Kysely<Tables>, raceId: RaceId, run: string | null) {
  await trx
    .updateTable('race_timings')
    .set({ followed_run: run })
    .where('race_id', '=', raceId)
    .execute()
}

/** Reads the running race whose clock follows a feed; null without one. */
async function followingRace(db: Kysely<Tables>, feedId: string) {
  const race = await running(db)
    .select(['races.id as raceId', 'races.team_id as teamId'])
    .where('race_timings.id', '=', feedId)
    .executeTakeFirst()
  return race ?? null
}

/** Reads the silent feeds of races that were paused with race control's clock, which are then resumed. */
async function silentFeeds(db: Kysely<Tables>, now: EpochMs): Promise<string[]> {
  const rows = await running(db)
    .innerJoin('timing_batches', join =>
      join
        .onRef('timing_batches.feed_id', '=', 'race_timings.id')
        .onRef('timing_batches.number', '=', 'race_timings.newest'),
    )
    .select('race_timings.id')
    .where('timing_batches.received_at', '<', new Date(now - silentFeedMs))
    .where(sql<boolean>`races.pauses -> -1 -> 'to' = 'null'::jsonb`)
    .execute()
  return rows.map(({ id }) => id)
}

function running(db: Kysely<Tables>) {
  return db
    .selectFrom('race_timings')
    .innerJoin('races', 'races.id', 'race_timings.race_id')
    .where('race_timings.followed_run', 'is not', null)
    .where('races.started_at', 'is not', null)
    .where('races.ended_at', 'is', null)
}
