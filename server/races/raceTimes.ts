import type { Selectable } from 'kysely'
import type { EpochMs, RaceId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxPauses, maxRaceMs } from '#contract/shared/raceRules.ts'
import type { AppContext } from '../context.ts'
import type { RacesTable } from '../db/schema/races.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { changeRaces } from './changeRace.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'clock'>

/** The columns of a race that its clock follows from. */
type Times = Pick<Selectable<RacesTable>, 'started_at' | 'pauses' | 'ended_at'>

/**
 * Starts the clock of a race now. With `at` it started then: a correction, also after the race. With null it has not
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
  await changeRaces(context, { teamId, userId, raceId }, async trx => {
    const race = await trx
      .selectFrom('races')
      .select(['started_at', 'pauses', 'ended_at'])
      .where('id', '=', raceId)
      .executeTakeFirstOrThrow()
    const changed = change(race, context.clock.now())
    if (changed === race) return
    await trx
      .updateTable('races')
      .set({ started_at: changed.started_at, pauses: JSON.stringify(changed.pauses) })
      .where('id', '=', raceId)
      .execute()
  })
}
