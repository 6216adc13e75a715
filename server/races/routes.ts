import type { RaceId, TeamId } from '#contract/ids.ts'
import type { races } from '#contract/races.ts'
import type { rulePacks } from '#contract/rulePacks.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { changePlan } from './changePlan.ts'
import { endRace, removeRace, saveRace } from './changeRace.ts'
import { listRaces, planOf, savedRace } from './races.ts'
import { pauseRace, resumeRace, startRace } from './raceTimes.ts'
import { importRulePack, listRulePacks, removeRulePack, saveRulePack } from './rulePacks.ts'

export function raceCalls(context: AppContext): HandlersOf<typeof races, Caller> {
  const { changed, forMembers } = handlersOf(context)
  const named = (db: AppContext['db'], { raceId }: { raceId: RaceId }) => savedRace(db, raceId)
  return {
    list: forMembers((db, { teamId }) => listRaces(db, teamId)),
    save: changed(saveRace, (db, { race }) => savedRace(db, race.id)),
    remove: changed(removeRace, (db, { teamId }) => listRaces(db, teamId)),
    start: changed(startRace, named),
    pause: changed(pauseRace, named),
    resume: changed(resumeRace, named),
    end: changed(endRace, named),

    async plan({ input: { raceId, carId = null }, caller }) {
      await teamOfRace(context.db, raceId, caller.userId)
      return planOf(context.db, { raceId, carId })
    },

    changePlan: changed(changePlan, planOf),
  }
}

export function rulePackCalls(context: AppContext): HandlersOf<typeof rulePacks, Caller> {
  const { changed, forMembers } = handlersOf(context)
  const list = (db: AppContext['db'], { teamId }: { teamId: TeamId }) => listRulePacks(db, teamId)
  return {
    list: forMembers(list),
    save: changed(saveRulePack, list),
    remove: changed(removeRulePack, list),
    import: changed(importRulePack, list),
  }
}
