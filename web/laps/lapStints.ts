import type { Session } from '#contract/sessions.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import { lettersOf, stintDriverName } from '#web/race/driverName.ts'
import type { TimedLap } from '#web/race/lapFigures.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'

/** The laps of a stint, with the person who drove them. */
export interface DrivenStint<L> {
  readonly id: string
  /** In order of time. */
  readonly laps: readonly L[]
  readonly driver: string
  /** Identifies the person in all sessions of the team. */
  readonly driverId: string
  /** The name that the driver's three letters are taken from. */
  readonly plate: string
}

/** Groups the laps of the car of a session by its stints. One without laps is left out, unless it is current. */
export function lapStints<L extends TimedLap>(
  laps: readonly L[],
  race: Pick<CarRace, 'stints' | 'drivers' | 'phones'>,
  session: Pick<Session, 'id' | 'driver'>,
): DrivenStint<L>[] {
  return race.stints.flatMap(stint => {
    const own = laps.filter(lap => stintOfLap(lap, race.stints) === stint)
    if (own.length === 0 && stint.to !== null) return []
    const phone = race.phones.find(({ sessionId }) => sessionId === stint.sessionId)
    const named = race.drivers.find(({ id }) => id === (stint.driverId ?? phone?.starterId))
    const holderId = stint.sessionId === session.id ? session.driver.id : stint.sessionId
    const driver = stintDriverName(stint, race)
    return [
      {
        id: stint.id,
        laps: own,
        driver,
        // By a link to the user, sessions with and without a roster name the same person.
        driverId: named ? (named.userId ?? named.id) : holderId,
        plate: lettersOf(driver),
      },
    ]
  })
}
