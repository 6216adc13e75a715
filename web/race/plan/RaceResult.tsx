import { useQueries } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Race } from '#contract/races.ts'
import type { Roster } from '#contract/roster.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { planSheet } from '#racing/race/planSheet.ts'
import { raceResult } from '#racing/race/raceResult.ts'
import { recentPlan } from '#racing/race/recentPlan.ts'
import { requiredStops } from '#racing/race/rules.ts'
import { bestWholeLap, lapTime } from '#web/race/lapFigures.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { type CarRace, sessionInCar } from '#web/race/shownCarRace.ts'
import { pitExitText } from '#web/text/pitExit.ts'
import { planText } from '#web/text/plan.ts'
import { teamsText } from '#web/text/teams.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, RowLinks, Rows } from '#web/ui/Rows.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { carsOf } from './carsOf.ts'
import styles from './RaceResult.module.css'
import { raceOfCarQuery } from './raceOfCarQuery.ts'

interface Props {
  teamId: string
  /** A race that is over. */
  race: Race
  /** On a board, which is black in both themes. */
  onBoard?: boolean
}

/**
 * The team's cars in the order in which they finished, with laps, stops, distance and best lap, once all of them are there.
 * On a page, with links to what each car drove.
 */
export function RaceResult({ teamId, race, onBoard = false }: Props) {
  const { result } = planText
  const roster = useRoster(teamId)
  const cars = useQueries({
    queries: idsOf(race, roster.data).map(carId => ({
      ...raceOfCarQuery(race.id, carId),
      select: (stored: StoredCarRace) => ({ id: carId ?? '', carRace: carRaceOf(stored) }),
    })),
  })
  // An answer from before the race, which has no phones yet, is no result.
  const isOld = cars.every(({ data }) => !data || data.carRace.phones.length === 0)
  const missing = [roster, ...cars].filter(
    ({ data, isFetching }) => data === undefined || (isOld && isFetching),
  )
  if (missing.length > 0) {
    const query = {
      error: missing.find(({ error }) => error !== null)?.error,
      isFetching: missing.some(({ isFetching }) => isFetching),
      refetch: () => missing.map(({ refetch }) => refetch()),
    }
    return <NotLoaded query={query} loading={result.loading} failed={result.failed} count={2} />
  }
  const loaded = cars.flatMap(({ data }) => data ?? [])
  return (
    <>
      <ResultTable cars={loaded} onBoard={onBoard} />
      {!onBoard && <DrivenLinks teamId={teamId} cars={loaded} />}
    </>
  )
}

/** Returns the cars of a race; null for its sessions without one, if the team has no cars. */
function idsOf(race: Race, roster: Roster | undefined): (string | null)[] {
  const ids = carsOf(race, roster?.cars ?? []).map(({ id }) => id)
  return roster && ids.length === 0 ? [null] : ids
}

interface LoadedCar {
  readonly id: string
  readonly carRace: CarRace
}

/** Links to the laps, the messages and the replay of each car, of the phone that was in it last. */
function DrivenLinks({ teamId, cars }: { teamId: string; cars: readonly LoadedCar[] }) {
  const { links } = teamsText
  const driven = cars.flatMap(({ id, carRace }) => {
    const sessionId = sessionInCar(carRace) ?? carRace.phones.at(-1)?.sessionId
    return sessionId === undefined ? [] : [{ id, number: carRace.car?.number, sessionId }]
  })
  if (driven.length === 0) return null
  return (
    <Rows label={planText.result.links}>
      {driven.map(({ id, number, sessionId }) => {
        const path = `/teams/${teamId}/${sessionId}`
        const name = number === undefined ? planText.result.title : planText.carNumber(number)
        const all = [
          [links.laps, `${path}/laps`],
          [links.log, `${path}/log`],
          [links.replay, `${path}/laps/replay`],
        ] as const
        return (
          <Row
            key={id}
            plate={number === undefined ? null : <CarPlate number={number} size="row" />}
            title={
              <RowLinks>
                {all.map(([text, to]) => (
                  <Link key={text} to={to} aria-label={links.of(text, name)}>
                    {text}
                  </Link>
                ))}
              </RowLinks>
            }
          />
        )
      })}
    </Rows>
  )
}

interface TableProps {
  cars: readonly LoadedCar[]
  onBoard: boolean
}

function ResultTable({ cars, onBoard }: TableProps) {
  const { columns } = planText.result
  const rows = raceResult(cars.filter(({ carRace }) => carRace.phones.length > 0))
  const hasSeveralCars = rows.length > 1
  const raceOf = (id?: string) => cars.find(each => each.id === id)?.carRace
  const numberOf = (id?: string) => raceOf(id)?.car?.number ?? ''
  if (rows.length === 0) return <p>{planText.result.none}</p>
  return (
    <div className={styles.result} data-board={onBoard || undefined}>
      <table>
        <caption className={typography.hidden}>{planText.result.title}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.car}</th>
            <th scope="col">{columns.laps}</th>
            <th scope="col">{columns.stops}</th>
            {hasSeveralCars && <th scope="col">{columns.behind}</th>}
            <th scope="col">{columns.best}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, laps, behind }) => {
            const race = raceOf(id)
            const best = race && bestWholeLap(race.laps)
            return (
              <tr key={id}>
                <td>
                  <CarPlate number={numberOf(id)} onBoard={onBoard} />
                </td>
                <td>{laps}</td>
                <td>{race && <Stops race={race} />}</td>
                {hasSeveralCars && (
                  <td>
                    {behind && (
                      <Behind
                        {...behind}
                        to={numberOf(rows.find(other => other.laps === laps)?.id)}
                      />
                    )}
                  </td>
                )}
                <td>
                  {best ? lapTime(best.timeMs) : '--'}
                  {best?.yellow && <small>{planText.result.yellow}</small>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p>{planText.result.note}</p>
    </div>
  )
}

/** The stops of a car as the page of its race counts them, of those that the rules require. */
function Stops({ race }: { race: CarRace }) {
  const laid = recentPlan(race, race.race?.endedAt ?? 0)
  if (!laid) return null
  const { stops, short, noStops } = planSheet(race, laid)
  const required = requiredStops(laid.request.rules, laid.request.raceMs)
  return (
    <>
      {required > 0 ? planText.result.stopsOf(stops, required) : stops}
      {short > 0 && <small data-short>{planText.result.short(short)}</small>}
      {noStops > 0 && <small data-short>{pitExitText.noStops(noStops)}</small>}
    </>
  )
}

interface BehindProps {
  laps: number
  timeMs: number
  /** The first car with as many laps. */
  to: string
}

/** The distance to the team's first car; of a lapped one also to the first car on its lap. */
function Behind({ laps, timeMs, to }: BehindProps) {
  const time = `+${timeMs < 60_000 ? (timeMs / 1000).toFixed(1) : lapTime(timeMs)}`
  if (laps === 0) return time
  return (
    <>
      +{planText.laps(String(laps))}
      {timeMs > 0 && <small>{planText.result.toCar(time, to)}</small>}
    </>
  )
}
