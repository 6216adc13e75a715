import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { greatestOf } from '#contract/shared/extremes.ts'
import { crossingsOf, type Gaps, gapsOf } from '#racing/race/gaps.ts'
import { laneName } from '#web/message/laneName.ts'
import { isRealCar } from '#web/message/lanes.ts'
import { isOutdated } from '#web/race/isOutdated.ts'
import { nextRace, useRaces, useRunningRace } from '#web/race/racesQuery.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { appText } from '#web/text/app.ts'
import { wallText } from '#web/text/wall.ts'
import { BarLogo, LogoLink } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { clockEvents } from './carEvents.ts'
import { Events } from './Events.tsx'
import type { LaneProps } from './Lane.tsx'
import type { Density } from './LaneFigures.tsx'
import { LaneGaps } from './LaneGaps.tsx'
import { LanePlace } from './LanePlace.tsx'
import { useEarlierEvents } from './useEarlierEvents.ts'
import type { CarLane, Lanes } from './useLanes.ts'
import styles from './Wall.module.css'
import { raceOnWall, WallClock } from './WallClock.tsx'
import { WallMap } from './WallMap.tsx'
import { WallState } from './WallState.tsx'
import { WallLog } from './wallLog.ts'
import sizes from './wallSizes.module.css'

/** With more cars the lanes are too low for larger figures. */
const mostRoomy = 6

const noLanes: readonly CarLane[] = []

interface Props extends Lanes {
  team: string | null
  /** A big screen, which is only read, from 3 m. */
  big?: boolean
  /** The URL of the team's page; undefined on a television. */
  teamPath?: string
  renderLane: (shared: Pick<LaneProps, 'lane' | 'density' | 'log' | 'gaps'>) => ReactNode
  /** True if the clock opens the controls of the race. */
  mayChangeRace?: boolean
  /** The keys that send. */
  keys?: ReactNode
  /** Shown while no car is driven. */
  hint?: ReactNode
}

/** The pit wall: all cars of a team, the map and the events. */
export function Wall(props: Props) {
  const { team, lanes, failure, big = false, teamPath, renderLane, keys } = props
  const cars = useMemo(() => lanes?.filter(isRealCar) ?? [], [lanes])
  const { mayChangeRace = false } = props
  const teamId = teamPath?.split('/').at(-1)
  const [log] = useState(() => new WallLog())
  // A television may not read the message log.
  useEarlierEvents(log, teamPath === undefined ? noLanes : (lanes ?? noLanes))
  const density = densityOf(lanes?.length ?? 2)
  const gaps = useMemo(() => gapsOnWall(cars), [cars])
  const race = raceOnWall(cars)?.race
  useEffect(() => log.put('race', [], race ? clockEvents(race) : []), [log, race])
  const isOver = race != null && race.endedAt !== null
  const plates = new Map(lanes?.map(({ id, session }) => [id, laneName(session).plate]))
  return (
    <div
      className={`${styles.wall} ${sizes.sizes}`}
      data-big={big || undefined}
      data-near={!big || undefined}
      data-density={density}
      data-cars={lanes?.length}
      data-roomy={(lanes?.length ?? 0) <= mostRoomy || undefined}
      data-keys={keys ? true : undefined}
    >
      <header className={styles.top}>
        {teamPath === undefined ? (
          <BarLogo short />
        ) : (
          <LogoLink to="/teams" label={appText.home} short />
        )}
        <div className={styles.title}>
          <h1 tabIndex={-1}>{race?.name ?? wallText.title}</h1>
          <p>
            <TeamCars {...{ team, teamPath }} count={cars.length} />
          </p>
          {isOver && teamId !== undefined && <RunningRace teamId={teamId} />}
        </div>
        <WallState lanes={cars} />
        {cars.length > 0 && (
          <WallClock lanes={cars} mayChange={mayChangeRace} teamPath={teamPath} />
        )}
      </header>
      <main className={styles.lanes} aria-label={wallText.lanes} data-lanes>
        {lanes === undefined ? (
          failure ? (
            <LoadFailed
              title={wallText.failed}
              message={failure.message}
              retrying={failure.retrying}
              onRetry={failure.onRetry}
            />
          ) : (
            <Loading />
          )
        ) : lanes.length === 0 ? (
          <div className={styles.empty}>
            <h2>{wallText.noCars}</h2>
            {teamId !== undefined && <NextRace teamId={teamId} />}
            <p>{wallText.noCarsText}</p>
            {props.hint}
          </div>
        ) : (
          lanes.map(lane =>
            renderLane({
              lane,
              density,
              log,
              gaps: (
                <LanePlace race={lane.race} teamPath={mayChangeRace ? teamPath : undefined}>
                  <LaneGaps gaps={gaps.get(lane.id)} plates={plates} />
                </LanePlace>
              ),
            }),
          )
        )}
      </main>
      <aside className={styles.side}>
        <WallMap lanes={lanes} />
        <Events log={log} cars={cars.length} big={big} />
      </aside>
      {keys}
    </div>
  )
}

interface TeamCarsProps extends Pick<Props, 'team'> {
  teamPath: string | undefined
  count: number
}

/** The team and how many cars it has on the wall. */
function TeamCars({ team, teamPath, count }: TeamCarsProps) {
  if (team === null) return <Skeleton widthPx={150} heightPx={14} />
  const cars = wallText.cars(team, count)
  return teamPath === undefined ? cars : <Link to={teamPath}>{cars}</Link>
}

/** Names the race that runs, if the phones of all cars are still in one that is over. */
function RunningRace({ teamId }: { teamId: string }) {
  const running = useRunningRace(teamId)
  return running ? <p data-running>{wallText.runsWithout(running.name)}</p> : null
}

const refreshMs = 30_000

/** Names the race that starts next, and when. */
function NextRace({ teamId }: { teamId: string }) {
  const nowMs = useServerNow(refreshMs)
  const next = nextRace(useRaces(teamId).data, nowMs)
  if (!next || next.startsAt === null) return null
  const { name, startsAt } = next
  const sentence = startsAt > nowMs ? wallText.starts : wallText.isDue
  return <p data-next>{sentence(name, hoursAndMinutes(startsAt))}</p>
}

/**
 * Returns the gaps between the cars whose laps are known. Without the start of a race, laps count from the moment at which
 * the last car crossed the line for the first time.
 */
function gapsOnWall(lanes: readonly CarLane[]): ReadonlyMap<string, Gaps> {
  const cars = lanes.flatMap(({ id, race, session }) =>
    race && !isOutdated(session, race.laps) ? [{ id, carRace: race }] : [],
  )
  const startedAt = cars[0]?.carRace.race?.startedAt
  const lastFirst = greatestOf(cars.map(({ carRace }) => crossingsOf(carRace).at[0] ?? 0))
  return gapsOf(cars, startedAt ?? Math.max(0, lastFirst))
}

function densityOf(count: number): Density {
  return count <= 1 ? 'one' : count <= 4 ? 'few' : 'many'
}

/** Lanes of the same height as two cars have. */
function Loading() {
  return (
    <>
      <span className={typography.hidden}>{wallText.loading}</span>
      <div className={styles.loading} aria-hidden />
      <div className={styles.loading} aria-hidden />
    </>
  )
}
