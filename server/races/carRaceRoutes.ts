import type { carRaces, StoredCarRace } from '#contract/carRace.ts'
import type { SessionId } from '#contract/ids.ts'
import type { stints } from '#contract/stints.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { timeEnded } from '../laps/lapTable.ts'
import { setAutoPit } from './autoPit.ts'
import { carRaceForReader, carRaceOfRace } from './carRace.ts'
import { addStint } from './changeStints.ts'
import { correctRuns, undoCorrection } from './correctRuns.ts'
import { editStints, removeStint } from './editStints.ts'
import { setCar, setRace } from './joinRace.ts'

export function carRaceCalls(context: AppContext): HandlersOf<typeof carRaces, Caller> {
  return {
    ofSession: ({ input, caller }) => raceOf(context, input, caller),
    ofRace({ input: { raceId, carId = null }, caller: { userId } }) {
      const { db, clock } = context
      return published(context, carRaceOfRace(db, { raceId, carId, userId }, clock.now()))
    },
    correctRuns: commandOf(context, correctRuns),
    undoCorrection: commandOf(context, undoCorrection),
  }
}

export function stintCalls(context: AppContext): HandlersOf<typeof stints, Caller> {
  return {
    add: commandOf(context, addStint),
    edit: commandOf(context, editStints),
    remove: commandOf(context, removeStint),
    setAutoPit: commandOf(context, setAutoPit),
    setRace: commandOf(context, setRace),
    setCar: commandOf(context, setCar),
  }
}

/** Returns the race of the car of a session. */
function raceOf(context: AppContext, { sessionId }: { sessionId: SessionId }, { userId }: Caller) {
  const { db, clock } = context
  return published(context, carRaceForReader(db, { sessionId, userId }, clock.now()))
}

/** Returns the race of a car, which is published again once the last laps of ended phones are known. */
async function published(context: AppContext, reading: Promise<StoredCarRace>) {
  const race = await reading
  const ended = race.phones.flatMap(({ sessionId: id, endedAt }) => (endedAt === null ? [] : id))
  await timeEnded(context, ended)
  return race
}

/** Returns the handler of a change, which responds with the race of the car. */
function commandOf<Input extends { sessionId: SessionId }>(
  context: AppContext,
  change: (context: AppContext, userId: string, input: Input) => Promise<void>,
) {
  return async ({ input, caller }: { input: Input; caller: Caller }) => {
    await change(context, caller.userId, input)
    return raceOf(context, input, caller)
  }
}
