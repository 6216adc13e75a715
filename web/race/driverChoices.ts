import { hourMs } from '#contract/shared/durations.ts'
import { driverTime } from '#racing/race/driverTime.ts'
import { rosterText } from '#web/text/roster.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { stintDriverName } from './driverName.ts'
import type { CarRace } from './shownCarRace.ts'

/** A driver who can take over the car. */
export interface DriverChoice {
  /** Null: the person who started a session, who is not in the roster. */
  readonly id: string | null
  /** The id of the driver, or of the session of the person who started it. */
  readonly seat: string
  readonly name: string
  readonly isDriving: boolean
  /** Whole minutes of the race; without a race, of the session. */
  readonly minutes: string
  readonly detail: string
  /** True if the driver has no time left by the rules, or is in another car. The crew may choose them nevertheless. */
  readonly isWarning: boolean
  readonly isPlanned: boolean
  /** Driving time that the rules leave, and the limit in the race: 2:04 of 3:00. Null without such a rule. */
  readonly allowance: { readonly left: string; readonly of: string } | null
}

/** Longest remaining time for which a choice shows the minutes left. */
const shortLeftMs = hourMs

interface Options {
  /** The session on whose page the driver is chosen. */
  sessionId: string
  /** The driver of the next stint of the plan, and its number. */
  planned?: { readonly id: string; readonly stint: number } | null
  nowMs: number
}

/**
 * Returns the drivers of the roster, and two persons who may not be in it: the person who started the session, and the
 * current driver. The planned driver comes first, then the other drivers of the car's plan. A limit only warns: a driven
 * stint must be recorded in any case.
 */
export function driverChoices(
  race: CarRace,
  { sessionId, planned = null, nowMs }: Options,
): DriverChoice[] {
  const current = race.stints.at(-1)
  const choice = (id: string | null, name: string, seat: string): DriverChoice => {
    const { drivenMs, leftMs } = driverTime(race, id, nowMs, seat)
    const isDriving = current?.driverId === id && (id !== null || current.sessionId === seat)
    const { maxDriverMs = null, inARow = null } = race.race?.rules ?? {}
    const limitMs = maxDriverMs ?? inARow?.maxMs ?? null
    const other = race.otherCars.find(({ driverId, to }) => driverId === id && to === null)
    const otherCar = other?.car ?? null
    const isOver = leftMs !== null && leftMs <= 0
    const isPlanned = id !== null && id === planned?.id
    return {
      id,
      seat,
      name,
      isDriving,
      minutes: minutesOf(drivenMs),
      isWarning: !isDriving && (isOver || otherCar !== null),
      isPlanned,
      allowance:
        leftMs === null || limitMs === null
          ? null
          : { left: hoursText(Math.max(0, leftMs)), of: hoursText(limitMs) },
      detail: isDriving
        ? rosterText.drivesNow
        : [
            isPlanned && rosterText.byPlan(wholeNumber(planned.stint)),
            otherCar !== null && rosterText.inOtherCar(otherCar),
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
  const planOrder = ({ id, isPlanned }: DriverChoice) =>
    isPlanned ? 0 : id !== null && race.plan?.driverIds.includes(id) ? 1 : 2
  return all.toSorted((a, b) => planOrder(a) - planOrder(b))
}

function leftText(leftMs: number | null): string | null {
  if (leftMs === null) return null
  if (leftMs <= 0) return leftMs < 0 ? rosterText.overBy(minutesOf(-leftMs)) : rosterText.noneLeft
  return leftMs <= shortLeftMs ? rosterText.minutesLeft(minutesOf(leftMs)) : null
}

/** Formats a time in hours and minutes: 2:04. */
function hoursText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function minutesOf(ms: number): string {
  return wholeNumber(Math.floor(ms / 60_000))
}
