import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { stintOfLap } from '#racing/stints/stintOfLap.ts'
import { type Stint, stintsOf } from '#web/laps/lapFigures.ts'
import { driverName, lastWord, plateName, stintDriverName } from '#web/stints/driverName.ts'

/** The laps of a stint, with the person who drove them. */
export interface DrivenStint extends Stint {
  readonly driver: string
  /** The name that the driver's three letters are taken from. */
  readonly plate: string
}

/**
 * Groups laps by the stints that the team entered. Without any, one driver drove all laps, and each stop begins a
 * stint.
 */
export function lapStints(
  laps: readonly Lap[],
  session: Session,
  race: RaceOfSession | undefined,
): DrivenStint[] {
  if (!race || !hasStints(race))
    return stintsOf(laps).map(stint => ({
      ...stint,
      driver: driverName(session),
      plate: plateName(session),
    }))
  return race.stints.flatMap(({ number, driverId }) => {
    const own = laps.filter(lap => stintOfLap(lap, race.stints)?.number === number)
    if (own.length === 0) return []
    const driver = stintDriverName(driverId, session, race)
    const plate =
      driverId === null ? plateName({ ...session, currentDriver: null }) : lastWord(driver)
    return [{ number, laps: own, driver, plate }]
  })
}

/** True if the team has named a driver or entered a driver change. */
function hasStints({ stints }: RaceOfSession): boolean {
  return stints.length > 1 || stints.some(({ driverId }) => driverId !== null)
}
