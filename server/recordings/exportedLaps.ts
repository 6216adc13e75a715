import type { Kysely } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { type CarRace, carRaceOf } from '#racing/race/carRace.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedLaps } from '../laps/storedLaps.ts'
import type { NamedDrivers } from '../races/namedDrivers.ts'
import { carRaceForReader } from '../races/storedCarRace.ts'
import type { ExportedLap } from './lapsCsv.ts'

/**
 * Returns the laps of the race of a session's car in one sequence, with their numbers in the race, or the one that ended
 * with a lap of the session. A lap of a phone that was not in the car then has its number in the session.
 */
export async function exportedLaps(
  db: Kysely<Tables>,
  { session, userId, lap }: { session: Session; userId: UserId; lap: Lap | null },
  { drivers, nowMs }: { drivers: NamedDrivers; nowMs: EpochMs },
): Promise<ExportedLap[]> {
  const stored = await carRaceForReader(db, { sessionId: session.id, userId }, nowMs)
  const known = new Map<string, Lap>()
  for (const { sessionId, laps } of stored.phones)
    if (laps.length > 0)
      for (const each of await storedLaps(db, sessionId)) known.set(keyOf(sessionId, each), each)
  const named = (each: CarRace['laps'][number]): ExportedLap => {
    const seen = known.get(keyOf(each.sessionId, each))
    return {
      ...each,
      plusMinusMs: seen?.timeMs === each.timeMs ? seen.plusMinusMs : null,
      driver: drivers.ofLap(each),
      stint: stintOfLap(each, stored.stints)?.number,
      session: stored.phones.find(({ sessionId }) => sessionId === each.sessionId)?.name ?? '',
    }
  }
  const all = carRaceOf(stored).laps
  if (!lap) return all.map(named)
  const key = keyOf(session.id, lap)
  const inCar = all.find(each => keyOf(each.sessionId, each) === key)
  return [named(inCar ?? { ...lap, sessionId: session.id })]
}

/** Identifies a lap by the phone that saw its end, and when. */
function keyOf(sessionId: string, { startedAt, timeMs }: Pick<Lap, 'startedAt' | 'timeMs'>) {
  return `${sessionId} ${Math.round(startedAt + timeMs)}`
}
