import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { driverTime } from '#racing/race/driverTime.ts'
import { rosterText } from '#web/text/roster.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { personName } from './driverName.ts'

/** A driver who can take over the car. */
export interface DriverChoice {
  /** Null: the person who started the session, who is not in the roster. */
  readonly id: string | null
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

/**
 * Returns the drivers of the roster, and the person who started the session unless they are in it. The planned one
 * comes first. A driver at a limit can be chosen: the detail warns.
 */
export function driverChoices(
  race: RaceOfSession,
  {
    starter,
    plannedId = null,
    nowMs,
  }: {
    /** The person who started the session; null while unknown. */
    starter: Session['driver'] | null
    plannedId?: string | null
    nowMs: number
  },
): DriverChoice[] {
  const { drivers, starterId } = race
  const current = currentDriverId(race)
  const choice = (id: string | null, name: string): DriverChoice => {
    const { drivenMs, leftMs } = driverTime(race, id, nowMs)
    const isDriving = id === current
    return {
      id,
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
  const listed = drivers
    .filter(({ id, archived }) => !archived || id === current)
    .map(({ id, name }) => choice(id, name))
  const all = listed.some(({ id }) => id === starterId)
    ? listed
    : [...listed, choice(null, starter ? personName(starter) : rosterText.myself)]
  const planned = all.find(({ id }) => id !== null && id === plannedId)
  return planned ? [planned, ...all.filter(each => each !== planned)] : all
}

/** Returns the driver of the present stint; null: the person who started the session, who is not in the roster. */
export function currentDriverId({ stints, starterId }: RaceOfSession): string | null {
  return stints.at(-1)?.driverId ?? starterId
}

function leftText(leftMs: number | null): string | null {
  if (leftMs === null) return null
  if (leftMs <= 0) return leftMs < 0 ? rosterText.overBy(minutesOf(-leftMs)) : rosterText.noneLeft
  return leftMs <= shortLeftMs ? rosterText.minutesLeft(minutesOf(leftMs)) : null
}

function minutesOf(ms: number): string {
  return wholeNumber(Math.floor(ms / 60_000))
}
