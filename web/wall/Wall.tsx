import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { appText } from '#web/text/app.ts'
import { wallText } from '#web/text/wall.ts'
import { BarLogo, LogoLink } from '#web/ui/Bar.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { drivingSessions } from './drivingSessions.ts'
import { Events } from './Events.tsx'
import type { LaneProps } from './Lane.tsx'
import type { Density } from './LaneFigures.tsx'
import { LaneGaps } from './LaneGaps.tsx'
import { laneName } from './laneName.ts'
import { gapsOnWall, useCrossings } from './useCrossings.ts'
import type { Lanes } from './useLanes.ts'
import styles from './Wall.module.css'
import { WallClock } from './WallClock.tsx'
import { WallMap } from './WallMap.tsx'
import { WallLog } from './wallLog.ts'
import sizes from './wallSizes.module.css'

interface Props extends Lanes {
  team: string | null
  /** A big screen, which is only read, from 3 m. */
  big?: boolean
  /** The URL of the team's page; undefined on a television. */
  teamPath?: string
  renderLane: (shared: Pick<LaneProps, 'session' | 'density' | 'log' | 'gaps'>) => ReactNode
  /** True if the clock opens the controls of the race. */
  mayChangeRace?: boolean
  /** The keys that send. */
  keys?: ReactNode
  /** Driver changes that are proposed for cars in the pits. */
  proposals?: ReactNode
}

const noLanes: readonly Session[] = []

/** The pit wall: all cars of a team, the map and the events. */
export function Wall(props: Props) {
  const { team, lanes, failure, big = false, teamPath, renderLane, keys } = props
  const { mayChangeRace = false } = props
  const [log] = useState(() => new WallLog())
  const crossings = useCrossings(lanes)
  const [first] = drivingSessions(crossings.sessions)
  const density = densityOf(lanes?.length ?? 2)
  const gaps = useMemo(() => gapsOnWall(crossings), [crossings])
  const plates = new Map(lanes?.map(session => [session.id, laneName(session).plate]))
  return (
    <div
      className={`${styles.wall} ${sizes.sizes}`}
      data-big={big || undefined}
      data-density={density}
      data-keys={keys ? true : undefined}
    >
      <header className={styles.top}>
        {teamPath === undefined ? <BarLogo /> : <LogoLink to="/teams" label={appText.home} short />}
        <div className={styles.title}>
          <h1 tabIndex={-1}>{wallText.title}</h1>
          <p>
            {team === null ? (
              <Skeleton widthPx={150} heightPx={14} />
            ) : teamPath === undefined ? (
              wallText.cars(team, lanes?.length ?? 0)
            ) : (
              <Link to={teamPath}>{wallText.cars(team, lanes?.length ?? 0)}</Link>
            )}
          </p>
        </div>
        {first && <WallClock session={first} lanes={lanes ?? noLanes} mayChange={mayChangeRace} />}
      </header>
      <main className={styles.lanes} aria-label={wallText.lanes} data-lanes>
        {lanes === undefined ? (
          failure ? (
            <LoadFailed
              title={wallText.failed}
              message={failure.message}
              retryLabel={appText.tryAgain}
              retrying={failure.retrying}
              onRetry={failure.onRetry}
            />
          ) : (
            <Loading />
          )
        ) : lanes.length === 0 ? (
          <Empty title={wallText.noCars}>{wallText.noCarsText}</Empty>
        ) : (
          lanes.map(session =>
            renderLane({
              session,
              density,
              log,
              gaps: <LaneGaps gaps={gaps.get(session.id)} plates={plates} />,
            }),
          )
        )}
      </main>
      <aside className={styles.side}>
        <WallMap lanes={lanes ?? []} />
        {props.proposals}
        <Events log={log} big={big} />
      </aside>
      {keys}
    </div>
  )
}

function densityOf(count: number): Density {
  return count <= 1 ? 'one' : count <= 3 ? 'few' : 'many'
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
