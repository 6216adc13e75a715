import { isDeepStrictEqual } from 'node:util'
import type { Selectable, Transaction } from 'kysely'
import type { EpochMs, RaceId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxPauses, maxRaceMs } from '#contract/shared/raceRules.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { inheritSettings, type PublishInherited } from '../sessions/inheritSettings.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'
import { changeRaces, endFollowing } from './changeRace.ts'
import { type Ending, publishEndedAfterRace } from './endSession.ts'
import { joinAtStart } from './moveActiveSessions.ts'
import { savedRace } from './races.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'clock' | 'laps' | 'recorder' | 'log'>

/** The columns of a race that its clock follows from. */
type Times = Pick<Selectable<Tables['races']>, 'started_at' | 'pauses' | 'ended_at'>

/**
 * Starts the clock of a race now, which the active sessions of its cars join. Refuses a race without a length, and while
 * another one runs. With `at` it started then: a correction, also after the race. With null it has not
 * started: somebody pressed by mistake. After the race null is refused: its times and stints depend on the start.
 */
export function startRace(
  context: Context,
  userId: UserId,
  { raceId, at }: { raceId: RaceId; at?: EpochMs | null | undefined },
) {
  return changeTimes(context, userId, raceId, (race, now) => {
    if (at === null) {
      if (race.ended_at) throw new Refusal('invalid-input', { detail: 'race-over' })
      return { ...race, started_at: null, pauses: [] }
    }
    // A second press of the same button changes nothing.
    if (at === undefined && (race.started_at || race.ended_at)) return race
    const latest = race.ended_at?.getTime() ?? now
    const earliest = latest - maxRaceMs
    return { ...race, started_at: new Date(Math.max(earliest, Math.min(at ?? now, latest))) }
  })
}

/** Pauses the clock of a race that runs. Idempotent. */
export function pauseRace(context: Context, userId: UserId, { raceId }: { raceId: RaceId }) {
  return changeTimes(context, userId, raceId, (race, now) => {
    if (!race.started_at || race.ended_at || race.pauses.at(-1)?.to === null) return race
    if (race.pauses.length >= maxPauses)
      throw new Refusal('invalid-input', { detail: 'pauses-too-many' })
    return { ...race, pauses: [...race.pauses, { from: now, to: null }] }
  })
}

/** Lets the clock of a race run again. Idempotent. */
export function resumeRace(context: Context, userId: UserId, { raceId }: { raceId: RaceId }) {
  return changeTimes(context, userId, raceId, (race, now) => {
    const pauses = race.pauses.map(({ from, to }) => ({ from, to: to ?? Math.max(from, now) }))
    return { ...race, pauses }
  })
}

/** Refuses with `not-found` outside the team, or viewers with `view-only`. */
async function changeTimes(
  context: Context,
  userId: UserId,
  raceId: RaceId,
  change: (race: Times, now: number) => Times,
) {
  const teamId = await teamOfRace(context.db, raceId, userId)
  const { clock } = context
  let publish: PublishInherited = async () => {}
  let ended: readonly Ending[] = []
  const store = async (trx: Transaction<Tables>) => {
    const race = await trx
      .selectFrom('races')
      .select(['name', 'started_at', 'pauses', 'ended_at'])
      .where('id', '=', raceId)
      .executeTakeFirstOrThrow()
    const changed = change(race, clock.now())
    if (isDeepStrictEqual(changed, race)) return
    await endFollowing(trx, raceId)
    const starts = changed.started_at !== null && race.started_at === null
    if (starts) await requireMayStart(trx, { teamId, raceId })
    await trx
      .updateTable('races')
      .set({ started_at: changed.started_at, pauses: JSON.stringify(changed.pauses) })
      .where('id', '=', raceId)
      .execute()
    const made = { teamId, actorId: userId, at: clock.now(), after: race.name }
    await recordTeamChange(trx, { ...made, kind: starts ? 'race-started' : 'clock-changed' })
    if (!starts || race.ended_at) return
    const joined = await joinAtStart(trx, context, { teamId, race: await savedRace(trx, raceId) })
    ended = joined.ended
    publish = await inheritSettings(trx, userId, { joining: joined.joining, clock })
  }
  await changeRaces(context, { teamId, userId, raceId }, store, async () => {
    await publishEndedAfterRace(context, ended)
    await publish(context)
  })
}

async function requireMayStart(
  trx: Transaction<Tables>,
  { teamId, raceId }: { teamId: TeamId; raceId: RaceId },
) {
  const { length, endedAt } = await savedRace(trx, raceId)
  if (length === null) throw new Refusal('invalid-input', { detail: 'race-length-missing' })
  if (endedAt !== null) return
  const running = await trx
    .selectFrom('races')
    .select('id')
    .where('team_id', '=', teamId)
    .where('started_at', 'is not', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (running) throw new Refusal('invalid-input', { detail: 'race-running' })
}
