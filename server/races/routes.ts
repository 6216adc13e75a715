import type { carRaces, StoredCarRace } from '#contract/carRaces.ts'
import type { fills } from '#contract/fills.ts'
import type { RaceId, SessionId, TeamId } from '#contract/ids.ts'
import type { races } from '#contract/races.ts'
import type { rulePacks } from '#contract/rulePacks.ts'
import type { stints } from '#contract/stints.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { timeEnded } from '../laps/lapTable.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { addStint, keepDriver } from './addStint.ts'
import { setAutoPit } from './autoPit.ts'
import { changePlan } from './changePlan.ts'
import { deleteRace, endRace, saveRace } from './changeRace.ts'
import { correctRuns, undoCorrection } from './correctRuns.ts'
import { editStints, removeStint } from './editStints.ts'
import { addFill, changeFill, fillsOf, removeFill, setStartFuel } from './fills.ts'
import { setCar } from './joinRace.ts'
import { listRaces, planOf, savedRace } from './races.ts'
import { pauseRace, resumeRace, startRace } from './raceTimes.ts'
import { importRulePack, listRulePacks, removeRulePack, saveRulePack } from './rulePacks.ts'
import { carRaceForReader, carRaceOfRace } from './storedCarRace.ts'

export function raceCalls(context: AppContext): HandlersOf<typeof races, Caller> {
  const { changed, forMembers } = handlersOf(context)
  const named = (db: AppContext['db'], { raceId }: { raceId: RaceId }) => savedRace(db, raceId)
  return {
    list: forMembers((db, { teamId }) => listRaces(db, teamId)),
    save: changed(saveRace, (db, { race }) => savedRace(db, race.id)),
    remove: changed(deleteRace, (db, { teamId }) => listRaces(db, teamId)),
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

export function fillCalls(context: AppContext): HandlersOf<typeof fills, Caller> {
  const { changed } = handlersOf(context)
  const all = (db: AppContext['db'], { sessionId }: { sessionId: SessionId }) =>
    fillsOf(db, sessionId)
  return {
    add: changed(addFill, all),
    change: changed(changeFill, all),
    remove: changed(removeFill, all),
    setStart: changed(setStartFuel, all),
  }
}

export function carRaceCalls(context: AppContext): HandlersOf<typeof carRaces, Caller> {
  const { changed } = handlersOf(context)
  const read = raceOfCar(context)
  return {
    ofSession: ({ input, caller }) => read(context.db, input, caller),
    ofRace({ input: { raceId, carId = null }, caller: { userId } }) {
      const { db, clock } = context
      return published(context, carRaceOfRace(db, { raceId, carId, userId }, clock.now()))
    },
    correctRuns: changed(correctRuns, read),
    undoCorrection: changed(undoCorrection, read),
  }
}

export function stintCalls(context: AppContext): HandlersOf<typeof stints, Caller> {
  const { changed } = handlersOf(context)
  const read = raceOfCar(context)
  return {
    add: changed(addStint, read),
    keepDriver: changed(keepDriver, read),
    edit: changed(editStints, read),
    remove: changed(removeStint, read),
    setAutoPit: changed(setAutoPit, read),
    setCar: changed(setCar, read),
  }
}

/** Returns a function that reads the race of the car of a session. */
function raceOfCar(context: AppContext) {
  return (db: AppContext['db'], { sessionId }: { sessionId: SessionId }, { userId }: Caller) =>
    published(context, carRaceForReader(db, { sessionId, userId }, context.clock.now()))
}

/** Returns the race of a car, which is published again once the last laps of ended phones are known. */
async function published(context: AppContext, reading: Promise<StoredCarRace>) {
  const race = await reading
  const ended = race.phones.flatMap(({ sessionId: id, endedAt }) => (endedAt === null ? [] : id))
  await timeEnded(context, ended)
  return race
}
