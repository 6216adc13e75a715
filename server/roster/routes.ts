import type { Transaction } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Roster, roster } from '#contract/roster.ts'
import type { AppContext, Caller } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { HandlersOf } from '../http/route.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireReader, requireStillEditor } from '../rights/requireMember.ts'
import { publishSessions } from '../sessions/publishSessions.ts'
import { removeCar, saveCar } from './cars.ts'
import { removeDriver, saveDriver } from './drivers.ts'
import { rosterOf } from './roster.ts'
import { sortRoster } from './sortRoster.ts'

export function rosterCalls(context: AppContext): HandlersOf<typeof roster, Caller> {
  const { db } = context
  async function changed(
    { teamId }: { teamId: TeamId },
    { userId }: { userId: UserId },
    change: RosterChange,
  ): Promise<Roster> {
    await changeRoster(context, { teamId, userId }, change)
    return rosterOf(db, teamId)
  }
  return {
    async get({ input: { teamId }, caller }) {
      await requireReader(db, teamId, caller.userId)
      return rosterOf(db, teamId)
    },

    saveCar: ({ input, caller }) => changed(input, caller, trx => saveCar(trx, input)),

    removeCar: ({ input, caller }) =>
      changed(input, caller, trx => removeCar(trx, input, context.clock.now())),

    saveDriver: ({ input, caller }) => changed(input, caller, trx => saveDriver(trx, input)),

    removeDriver: ({ input, caller }) =>
      changed(input, caller, trx => removeDriver(trx, input, context.clock.now())),

    sort: ({ input, caller }) => changed(input, caller, trx => sortRoster(trx, input)),
  }
}

/** Changes cars or drivers, and returns the sessions that show them. */
type RosterChange = (trx: Transaction<Tables>) => Promise<SessionId[]>

/**
 * Runs a change of a team's roster; changes of one team run one at a time. Refuses with `not-a-member`, or viewers
 * with `view-only`.
 */
async function changeRoster(
  context: Pick<AppContext, 'db' | 'live' | 'recorder'>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  change: RosterChange,
) {
  const { db, live } = context
  const sessions = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    return change(trx)
  })
  live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
  await publishSessions(context, sessions)
  // Their screens list the drivers of the team.
  const others = await db
    .selectFrom('sessions')
    .select('id')
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .execute()
  publishRace(
    live,
    teamId,
    others.map(({ id }) => id).filter(id => !sessions.includes(id)),
  )
}
