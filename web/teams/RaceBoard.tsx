import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useAreSettled } from '#web/api/useAreSettled.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { EndRace } from '#web/race/EndRace.tsx'
import { MissingFuel } from '#web/race/MissingFuel.tsx'
import { carsOf } from '#web/race/plan/carsOf.ts'
import { RaceResult } from '#web/race/plan/RaceResult.tsx'
import { raceOfCarQuery } from '#web/race/plan/raceOfCarQuery.ts'
import { type KnownCar, useCarsOfRace } from '#web/race/plan/useRaceOfCar.ts'
import { RaceDialog } from '#web/race/RaceDialog.tsx'
import { raceFigure } from '#web/race/raceFigure.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { startReason } from '#web/race/startReason.ts'
import { downTo } from '#web/race/stopFigure.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { useStoredCarRaces } from '#web/race/useStoredCarRaces.ts'
import { planText } from '#web/text/plan.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionCard } from '#web/ui/ActionCard.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { shortDay } from '#web/ui/dates.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import styles from './RaceBoard.module.css'
import { carLines, firstDrivers } from './raceBoardFigures.ts'

/** The races of the team page: the one that runs or is next, and the last one for a day after it. */
interface BoardRaces {
  readonly query: ReturnType<typeof useRaces>
  readonly next: Race | undefined
  readonly over: Race | undefined
  /** The cars of `next`, in the order of the team, and their races. */
  readonly cars: readonly Car[]
  readonly known: readonly KnownCar[]
  /** False until everything that the board shows has arrived or failed: it keeps its height then. */
  readonly isReady: boolean
}

/** Returns what the board of the team page shows. */
export function useBoardRaces(teamId: string): BoardRaces {
  const query = useRaces(teamId)
  const roster = useRoster(teamId)
  const nowMs = useServerNow(refreshMs)
  const races = query.data ?? []
  const next = races.find(({ endedAt }) => endedAt === null)
  const over = races.findLast(
    ({ endedAt }) =>
      endedAt !== null &&
      endedAt === greatestOf(races.map(endOf)) &&
      nowMs - endedAt <= resultShownMs,
  )
  const cars = next ? carsOf(next, roster.data?.cars ?? []) : []
  const known = useCarsOfRace(teamId, next?.id ?? null, cars)
  const haveCars = useAreSettled(cars.map(({ id }) => raceOfCarQuery(next?.id ?? '', id)))
  const [isReady, setReady] = useState(false)
  if (!isReady && !query.isPending && !roster.isPending && haveCars) setReady(true)
  return { query, next, over, cars, known, isReady }
}

interface RaceBoardProps {
  teamId: string
  board: BoardRaces
}

/**
 * The race that runs or is next, with the ways to its wall, plan and clock, and the one that is over; without one the
 * wall, and how to prepare one.
 */
export function RaceBoard({ teamId, board }: RaceBoardProps) {
  const { query, next, over, isReady } = board
  const viewer = useIsViewer(teamId)
  if (!query.data || !isReady)
    return (
      <div className={styles.place}>
        {query.error ? (
          <NotLoaded query={query} failed={teamsText.racesFailed} />
        ) : (
          <output className={styles.none} aria-busy aria-label={teamsText.loadingRaces}>
            <Skeleton widthPx={1200} heightPx={80} />
            <Skeleton widthPx={1200} heightPx={80} />
          </output>
        )}
      </div>
    )
  if (!next)
    return (
      <div className={styles.place}>
        {over && <OverBoard teamId={teamId} race={over} />}
        <NoRace teamId={teamId} mayChange={!viewer} />
      </div>
    )
  return (
    <div className={styles.place}>
      {over && (
        <Link to={`/teams/${teamId}/races/${over.id}`} className={styles.wallRow}>
          <b>{teamsText.overNamed(over.name)}</b>
          <span>{teamsText.resultShort}</span>
          <ArrowRight aria-hidden />
        </Link>
      )}
      <Board {...board} teamId={teamId} race={next} races={query.data} mayChange={!viewer} />
    </div>
  )
}

function endOf({ endedAt }: Race): number {
  return endedAt ?? 0
}

/** The result of a race is shown for this long after it. */
const resultShownMs = dayMs
const refreshMs = 30_000

/** The race that is over, with its result, until the next day. */
function OverBoard({ teamId, race }: { teamId: string; race: Race }) {
  return (
    <section className={styles.board} aria-labelledby="race-name">
      <div className={styles.name}>
        <div>
          <p>{teamsText.raceOver}</p>
          <h2 id="race-name">{race.name}</h2>
        </div>
      </div>
      <div className={styles.figures} data-result>
        <RaceResult teamId={teamId} race={race} onBoard />
      </div>
      <div className={styles.links} data-one>
        <Link to={`/teams/${teamId}/races/${race.id}`} className={styles.white}>
          {teamsText.result}
          <ArrowRight aria-hidden />
        </Link>
      </div>
    </section>
  )
}

function NoRace({ teamId, mayChange }: { teamId: string; mayChange: boolean }) {
  const { data: sessions } = useQuery(activeSessionsQuery(teamId))
  return (
    <div className={styles.none}>
      <Link to={`/teams/${teamId}/wall`} className={styles.wallRow}>
        <b>{teamsText.wall}</b>
        <span>{sessions && teamsText.carsInSession(carsIn(sessions))}</span>
        <ArrowRight aria-hidden />
      </Link>
      {mayChange && (
        <ActionCard
          to={`/teams/${teamId}/races/new`}
          icon={<Plus aria-hidden />}
          lead={teamsText.prepare}
        >
          {teamsText.prepareSub}
        </ActionCard>
      )}
    </div>
  )
}

/** Counts the cars of sessions: several phones may be on in one car. */
function carsIn(sessions: readonly Session[]): number {
  return new Set(sessions.map(({ id, car }) => car?.id ?? id)).size
}

interface BoardProps extends Pick<BoardRaces, 'cars' | 'known'> {
  teamId: string
  race: Race
  races: readonly Race[]
  mayChange: boolean
}

function Board({ teamId, race, races, cars, known, mayChange }: BoardProps) {
  const [isOpen, setOpen] = useState(false)
  const { data: sessions = [] } = useQuery(activeSessionsQuery(teamId))
  const carRaces = known.map(each => each.race)
  const hasStarted = race.startedAt !== null
  const reason = hasStarted ? null : startReason(race, races)
  return (
    <>
      <section className={styles.board} aria-labelledby="race-name">
        <div className={styles.name}>
          <div>
            <p>{kindOf(race)}</p>
            <h2 id="race-name">{race.name}</h2>
          </div>
          <span className={styles.plates}>
            {cars.slice(0, mostPlates).map(({ id, number }) => {
              const plate = <CarPlate key={id} number={number} onBoard size="large" />
              const session = sessions.find(each => each.car?.id === id)
              if (!session) return plate
              const to = `/teams/${teamId}/${session.id}/message`
              return (
                <Link key={id} to={to} aria-label={teamsText.messagesTo(number)}>
                  {plate}
                </Link>
              )
            })}
          </span>
        </div>
        {hasStarted ? <Running race={race} cars={known} /> : <Planned race={race} cars={known} />}
        <div className={styles.links}>
          <Link to={`/teams/${teamId}/wall`} className={styles.white}>
            {teamsText.wallShort}
            <ArrowRight aria-hidden />
          </Link>
          <Link to={`/teams/${teamId}/races/${race.id}`}>{teamsText.planShort}</Link>
          {mayChange && <EndRace race={race} cars={carRaces} />}
          {mayChange && (
            <button
              type="button"
              disabled={reason !== null}
              aria-describedby={reason === null ? undefined : 'start-reason'}
              onClick={() => setOpen(true)}
            >
              {hasStarted ? teamsText.clockShort : teamsText.startShort}
            </button>
          )}
          {mayChange && reason !== null && (
            <p id="start-reason" className={styles.reason}>
              {reason}
            </p>
          )}
        </div>
        {isOpen && <RaceDialog race={race} cars={carRaces} onClose={() => setOpen(false)} />}
      </section>
      {mayChange && <FuelAtStart cars={known} sessions={sessions} />}
    </>
  )
}

interface FuelProps {
  cars: readonly KnownCar[]
  sessions: readonly Session[]
}

/** Asks for the fuel at the start of the cars of a race, and of those with a session beside it. */
function FuelAtStart({ cars, sessions }: FuelProps) {
  const beside = sessions.filter(
    ({ car }, index) =>
      car !== null &&
      !cars.some(known => known.car.id === car.id) &&
      sessions.findIndex(each => each.car?.id === car.id) === index,
  )
  const stored = useStoredCarRaces(beside)
  const others = stored.flatMap(race => (race ? [{ race: carRaceOf(race) }] : []))
  return <MissingFuel cars={[...cars, ...others]} />
}

/** As many as fit beside the name on a phone. */
const mostPlates = 3

function kindOf({ startedAt, startsAt }: Race): string {
  if (startedAt !== null) return teamsText.raceStarted(hoursAndMinutes(startedAt))
  return startsAt === null ? teamsText.race : teamsText.raceOn(shortDay(startsAt))
}

function Planned({ race: { startsAt }, cars }: { race: Race; cars: readonly KnownCar[] }) {
  const nowMs = useServerNow(clockTickMs)
  const drivers = firstDrivers(cars)
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{teamsText.starts}</dt>
        <dd className={startsAt === null ? styles.words : undefined}>
          {startsAt === null ? teamsText.startUnknown : hoursAndMinutes(startsAt)}
        </dd>
      </div>
      {startsAt !== null && startsAt > nowMs && (
        <div>
          <dt>{teamsText.startsIn}</dt>
          <dd data-openreplay-hidden="">{untilText(startsAt - nowMs)}</dd>
        </div>
      )}
      {drivers.length > 0 && (
        <div className={styles.wide}>
          <dt>{teamsText.firstInTheCars}</dt>
          {drivers.map(({ number, name }) => (
            <dd key={number} className={styles.line}>
              <CarPlate number={number} onBoard />
              <span>{name}</span>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}

/** Shows whole minutes in the last hour: minutes and seconds would look like a time of day beside the start. */
function untilText(ms: number): string {
  if (ms >= 2 * dayMs) return teamsText.startsInDays(String(Math.floor(ms / dayMs)))
  if (ms < hourMs) return planText.minutes(String(Math.ceil(ms / 60_000)))
  return downTo(ms)
}

function Running({ race, cars }: { race: Race; cars: readonly KnownCar[] }) {
  const nowMs = useServerNow(clockTickMs)
  const figure = raceFigure(cars[0]?.race ?? { race, laps: [] }, nowMs)
  return (
    <dl className={styles.figures} data-running data-many={cars.length > roomyCars || undefined}>
      <div className={styles.toGo}>
        <dt>{figure?.label}</dt>
        <dd data-openreplay-hidden="">{figure?.value}</dd>
      </div>
      {cars.length > 0 && (
        <div className={styles.stops}>
          <dt>{teamsText.nextStop}</dt>
          {carLines(cars, nowMs).map(({ number, value, reasons, warns }) => (
            <dd key={number} data-warns={warns || undefined}>
              <CarPlate number={number} onBoard />
              {value !== null && <b>{value}</b>} <span>{reasons.join(', ')}</span>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}

/** With more cars their lines are in two columns on a wide screen. */
const roomyCars = 4
