import { carRaceOf, type StoredCarRace } from '#racing/race/carRace.ts'
import { trueCarRace } from './compareWithTruth.ts'
import type { SwapDay } from './swapDay.ts'
import { driverIds } from './swapRace.ts'

/** Returns what happened on a day, and what follows from it for the race of the car, as lines in order of time. */
export function dayText(day: SwapDay, stored: StoredCarRace): string[] {
  const { stops, stays, sessions, drivers, deadZones } = day
  const names = new Map(
    sessions.map(({ id, person }, index) => [id, `${index + 1} of ${person + 1}`]),
  )
  const nameOf = (sessionId: string | null) => names.get(sessionId ?? '') ?? 'none'
  const lapsOf = ({ laps }: Pick<StoredCarRace['phones'][number], 'laps'>, what: string) =>
    laps.map(
      ({ startedAt, timeMs, number, kind, isSeen }): Line => [
        startedAt + timeMs,
        `${what} ${number}, ${kind}${isSeen ? '' : ', unseen'}, since ${clock(startedAt)}`,
      ],
    )
  const lines: Line[] = [
    ...stops.map(
      ({ pitInAt, boxFrom, boxUntil, pitOutAt }): Line => [
        pitInAt,
        `stop until ${clock(pitOutAt)}, in the box ${clock(boxFrom)}\u2013${clock(boxUntil)}`,
      ],
    ),
    ...stays.map(
      ({ person, place, isOn, from, to }): Line => [
        from,
        `  phone ${person + 1} ${place}${isOn ? '' : ', off'}, until ${clock(to)}`,
      ],
    ),
    ...sessions.map(
      ({ id, startedAt, endedAt }): Line => [
        startedAt,
        `  session ${nameOf(id)} until ${clock(endedAt)}`,
      ],
    ),
    ...deadZones.map(
      ({ person, from, to, uploadedAt }): Line => [
        from,
        `  dead zone of phone ${person + 1} until ${clock(to)}, uploaded ${clock(uploadedAt)}`,
      ],
    ),
    ...drivers.map(
      ({ person, at, mustBeEntered }): Line => [
        at,
        `  driver ${person + 1}${mustBeEntered ? ', entered' : ''}`,
      ],
    ),
    ...stored.runs.map(
      ({ sessionId, from, until, decidedBy }): Line => [
        from,
        `    run of session ${nameOf(sessionId)} until ${clock(until)}, ${decidedBy}`,
      ],
    ),
    ...stored.stints.map(
      ({ driverId, from, to }): Line => [from, `    stint of ${driverId} until ${clock(to)}`],
    ),
    ...carRaceOf(stored).visits.map(
      ({ startedAt, endedAt }): Line => [startedAt, `    visit until ${clock(endedAt)}`],
    ),
    ...lapsOf(carRaceOf(stored), '      lap'),
    ...lapsOf(trueCarRace(day, stored, { driverIds, yellow: [] }), '        true lap'),
  ]
  return lines.toSorted(([a], [b]) => a - b).map(([at, text]) => `${clock(at)} ${text}`)
}

type Line = readonly [atMs: number, text: string]

function clock(ms: number | null): string {
  return ms === null || ms === Number.POSITIVE_INFINITY
    ? 'the end'
    : new Date(ms).toISOString().slice(11, 21)
}
