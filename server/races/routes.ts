import type { races } from '#contract/races.ts'
import type { rulePacks } from '#contract/rulePacks.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireMember } from '../rights/requireMember.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { changePlan } from './changePlan.ts'
import { endRace, removeRace, saveRace } from './changeRace.ts'
import { listRaces, planOf, savedRace } from './races.ts'
import { pauseRace, resumeRace, startRace } from './raceTimes.ts'
import { importRulePack, listRulePacks, removeRulePack, saveRulePack } from './rulePacks.ts'

export function raceCalls(context: AppContext): HandlersOf<typeof races, Caller> {
  const { db } = context
  return {
    async list({ input: { teamId }, caller }) {
      await requireMember(db, teamId, caller.userId)
      return listRaces(db, teamId)
    },

    async save({ input, caller }) {
      await saveRace(context, caller.userId, input)
      return savedRace(db, input.race.id)
    },

    async remove({ input, caller }) {
      await removeRace(context, caller.userId, input)
      return listRaces(db, input.teamId)
    },

    async start({ input, caller }) {
      await startRace(context, caller.userId, input)
      return savedRace(db, input.raceId)
    },

    async pause({ input, caller }) {
      await pauseRace(context, caller.userId, input)
      return savedRace(db, input.raceId)
    },

    async resume({ input, caller }) {
      await resumeRace(context, caller.userId, input)
      return savedRace(db, input.raceId)
    },

    async end({ input, caller }) {
      await endRace(context, caller.userId, input)
      return savedRace(db, input.raceId)
    },

    async plan({ input: { raceId, carId = null }, caller }) {
      await teamOfRace(db, raceId, caller.userId)
      return planOf(db, { raceId, carId })
    },

    async changePlan({ input, caller }) {
      await changePlan(context, caller.userId, input)
      return planOf(db, input)
    },
  }
}

export function rulePackCalls(context: AppContext): HandlersOf<typeof rulePacks, Caller> {
  const { db } = context
  return {
    async list({ input: { teamId }, caller }) {
      await requireMember(db, teamId, caller.userId)
      return listRulePacks(db, teamId)
    },

    async save({ input, caller }) {
      await saveRulePack(context, caller.userId, input)
      return listRulePacks(db, input.teamId)
    },

    async remove({ input, caller }) {
      await removeRulePack(context, caller.userId, input)
      return listRulePacks(db, input.teamId)
    },

    async import({ input, caller }) {
      await importRulePack(context, caller.userId, input)
      return listRulePacks(db, input.teamId)
    },
  }
}
