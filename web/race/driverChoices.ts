import { driverTime } from '#racing/race/driverTime.ts'
import { rosterText } from '#web/text/roster.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import type { CarRace } from './carRace.ts'
import { stintDriverName } from './driverName.ts'

/** A driver who can take over the car. */
export interface DriverChoice {
  /** Null: the person who started a session, who is not in the roster. */
  readonly id: string | null
  /** The id of the driver, or of the session of that person. */
  readonly seat: string
  readonly name: string
  readonly isDriving: boolean
  /** Whole minutes of the race; without a race, of the session. */
  readonly minutes: string
  readonly detail: string
  /** True if the rules leave the driver no time: `detail` warns of it. */
  readonly isOver: boolean
}

/** Below this remaining time a choice shows the minutes left. */
const shortLeftMs = 3_600_000

interface Options {
  /** The session on whose page the driver is chosen. */
  sessionId: string
  plannedId?: string | null
  nowMs: number
}

/**
 * Returns the drivers of the roster, and the persons who are not in it: the one who started the session, and the one who
 * drives. The planned driver comes first. A driver at a limit can be chosen: the detail warns.
 */
export function driverChoices(
  race: CarRace,
  { sessionId, plannedId = null, nowMs }: Options,
): DriverChoice[] {
  const current = race.stints.at(-1)
  const choice = (id: string | null, name: string, seat: string): DriverChoice => {
    const { drivenMs, leftMs } = driverTime(race, id, nowMs, seat)
    const isDriving = current?.driverId === id && (id !== null || current.sessionId === seat)
    return {
      id,
      seat,
      name,
      isDriving,
      minutes: minutesOf(drivenMs),
      isOver: leftMs !== null && leftMs <= 0,
      detail: isDriving
        ? rosterText.drivesNow
        : [
            id !== null && id === plannedId && rosterText.planned,
            id === null && rosterText.phoneHolder,
            leftText(leftMs),
          ]
            .filter(Boolean)
            .join(' · '),
    }
  }
  const listed = race.drivers
    .filter(({ id, archived }) => !archived || id === current?.driverId)
    .map(({ id, name }) => choice(id, name, id))
  const starterId = race.phones.find(phone => phone.sessionId === sessionId)?.starterId
  const unlisted = [
    ...(listed.some(({ id }) => id === starterId) ? [] : [sessionId]),
    ...(current?.driverId === null ? [current.sessionId] : []),
  ].map(each => choice(null, stintDriverName({ driverId: null, sessionId: each }, race), each))
  const all = [
    ...listed,
    ...unlisted.filter(({ seat }, index) => unlisted[index - 1]?.seat !== seat),
  ]
  const planned = all.find(({ id }) => id !== null && id === plannedId)
  return planned ? [planned, ...all.filter(each => each !== planned)] : all
}

function leftText(leftMs: number | null): string | null {
  if (leftMs === null) return null
  if (leftMs <= 0) return leftMs < 0 ? rosterText.overBy(minutesOf(-leftMs)) : rosterText.noneLeft
  return leftMs <= shortLeftMs ? rosterText.minutesLeft(minutesOf(leftMs)) : null
}

function minutesOf(ms: number): string {
  return wholeNumber(Math.floor(ms / 60_000))
}
