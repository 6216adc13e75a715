import type { TeamId, UserId } from '#contract/ids.ts'
import type { Roster, roster } from '#contract/roster.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireReader } from '../rights/requireMember.ts'
import { removeCar, saveCar } from './cars.ts'
import { changeRoster, type RosterAuthor, type RosterChange } from './changeRoster.ts'
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
  const authorOf = ({ userId }: { userId: UserId }): RosterAuthor => {
    return { actorId: userId, at: context.clock.now() }
  }
  return {
    async get({ input: { teamId }, caller }) {
      await requireReader(db, teamId, caller.userId)
      return rosterOf(db, teamId)
    },

    saveCar: ({ input, caller }) =>
      changed(input, caller, trx => saveCar(trx, input, authorOf(caller))),

    removeCar: ({ input, caller }) =>
      changed(input, caller, trx => removeCar(trx, input, authorOf(caller))),

    saveDriver: ({ input, caller }) =>
      changed(input, caller, trx => saveDriver(trx, input, authorOf(caller))),

    removeDriver: ({ input, caller }) =>
      changed(input, caller, trx => removeDriver(trx, input, authorOf(caller))),

    sort: ({ input, caller }) => changed(input, caller, trx => sortRoster(trx, input)),
  }
}
