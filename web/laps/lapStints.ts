import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import { hasNamedDrivers } from '#web/race/driverAt.ts'
import { driverName, lastWord, plateName, stintDriverName } from '#web/race/driverName.ts'
import { type Stint, stintsOf } from '#web/race/lapFigures.ts'

/** The laps of a stint, with the person who drove them. */
export interface DrivenStint extends Stint {
  readonly driver: string
  /** Identifies the person in all sessions of the team. */
  readonly driverId: string
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
  if (!race || !hasNamedDrivers(race))
    return stintsOf(laps).map(stint => ({
      ...stint,
      driver: driverName(session),
      driverId: personOf(session.currentDriver) ?? session.driver.id,
      plate: plateName(session),
    }))
  return race.stints.flatMap(({ number, driverId }) => {
    const own = laps.filter(lap => stintOfLap(lap, race.stints)?.number === number)
    if (own.length === 0) return []
    const driver = stintDriverName(driverId, session, race)
    const plate =
      driverId === null ? plateName({ ...session, currentDriver: null }) : lastWord(driver)
    const named = race.drivers.find(({ id }) => id === (driverId ?? race.starterId)) ?? null
    return [{ number, laps: own, driver, plate, driverId: personOf(named) ?? session.driver.id }]
  })
}

/** Returns the user of a linked driver, so that sessions with and without a roster name the same person. */
function personOf(driver: { id: string; userId: string | null } | null): string | null {
  return driver && (driver.userId ?? driver.id)
}
