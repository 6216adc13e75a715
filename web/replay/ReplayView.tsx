import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { SessionCircuit } from '#contract/circuits.ts'
import type { ShownFlag } from '#contract/glass.ts'
import type { LapTable } from '#contract/laps.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { ExportMenu } from '#web/laps/ExportMenu.tsx'
import type { LapsOfCar } from '#web/laps/useCarLaps.ts'
import { useRoom } from '#web/live/useLive.ts'
import { driverAt } from '#web/race/driverAt.ts'
import { bestLap } from '#web/race/lapFigures.ts'
import { isLinkOffAt, type LinkGap } from '#web/race/linkGaps.ts'
import { replayText } from '#web/text/replay.ts'
import { rosterText } from '#web/text/roster.ts'
import { BackLink, Bar, BarGap } from '#web/ui/Bar.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Controls } from './Controls.tsx'
import { DriverGlass, UnknownGlass } from './DriverGlass.tsx'
import { flagAt, glassAt, glassChanges, glassStateAt, problemAt } from './glassAt.ts'
import { glassBoardAt } from './glassBoard.ts'
import { lapAt, withHiddenLaps } from './lapTimes.ts'
import { Player, type PlayerState } from './player.ts'
import { PositionStore } from './positionStore.ts'
import { ReplayMap } from './ReplayMap.tsx'
import styles from './ReplayScreen.module.css'
import { SpeedChart } from './SpeedChart.tsx'
import { readPositions, useLapPositions } from './useReplayData.ts'
import { useReplayKeys } from './useReplayKeys.ts'

interface Props {
  session: Session
  span: { first: number; last: number }
  /** Laps as the phone of the session knows them. */
  table: LapTable
  /** The session's circuit; null while it is not known. */
  circuit: SessionCircuit | null
  /** Every message of the session. */
  log: readonly LoggedMessage[]
  race: LapsOfCar
  /** The official flags that were sent to its glass. */
  flags: readonly ShownFlag[]
  /** The times in which its data link was off. */
  gaps: readonly LinkGap[]
}

/** The parts of a replay around one player. */
export function ReplayView({ session, span, table, circuit, log, race, flags, gaps }: Props) {
  const { id: sessionId, name, startedAt, lapReference, targetLapMs } = session
  // Only for these laps this phone has positions in the car.
  const laps = useMemo(
    () => withHiddenLaps(race.laps).filter(each => each.sessionId === sessionId),
    [race, sessionId],
  )
  const { gpsPoor } = table
  const { player, store } = usePlayer(sessionId, { span, startAt: race.race?.startedAt ?? null })
  const state = usePlayerState(player)
  const changes = useMemo(() => glassChanges(log), [log])
  const { message, visits, plate } = glassStateAt(changes, race.visits, state.time)
  const board = useMemo(() => {
    const comparison = { with: lapReference, targetMs: targetLapMs }
    return glassBoardAt({ laps: race.laps, gpsPoor, comparison }, state.time)
  }, [race, gpsPoor, lapReference, targetLapMs, state.time])
  const lap = lapAt(laps, state.time)
  const stored = lapAt(race.laps, state.time)
  const own = lapAt(table.laps, state.time)
  const best = bestLap(laps)
  const bestPositions = useLapPositions(sessionId, best)
  useReplayKeys(player, laps)
  const driver = driverAt(race, state.time)
  const title = session.car ? rosterText.car(session.car.number) : driver
  usePageTitle(`${replayText.page}, ${title}`)
  useGlassFrames(player, changes)
  return (
    <div className={styles.screen}>
      <Bar>
        <BackLink to={`/teams/${session.teamId}/${sessionId}/laps`}>
          <span className={styles.session}>{name}</span>
        </BackLink>
        <BarGap />
        <h1 className={styles.title}>
          {title}
          <span className={styles.day}>, {day.format(startedAt)}</span>
        </h1>
        <ExportMenu
          sessionId={sessionId}
          lap={
            stored && own && stored.number > 0 ? { number: stored.number, own: own.number } : null
          }
        />
      </Bar>
      <main className={styles.main}>
        <ReplayMap
          player={player}
          store={store}
          tone={message && toneOf(message)}
          circuit={circuit}
          driven={bestPositions.data ?? null}
          isWaiting={state.isWaiting}
          onRetry={() => store.retry(state.time)}
        />
        {isLinkOffAt(gaps, state.time) ? (
          <UnknownGlass driver={driver} />
        ) : (
          <DriverGlass
            driver={driver}
            player={player}
            store={store}
            message={message}
            problem={problemAt(
              log,
              { visits, raceEndedAt: race.race?.endedAt ?? null },
              state.time,
            )}
            board={board}
            stop={visits.at(-1)?.endedAt === null ? { race, visits, plate } : null}
            time={state.time}
            flag={flagAt(flags, state.time)}
          />
        )}
        <SpeedChart
          sessionId={sessionId}
          player={player}
          store={store}
          lap={lap}
          best={best && bestPositions.data ? { lap: best, positions: bestPositions.data } : null}
          time={state.time}
          gaps={gaps}
        />
        <Controls player={player} state={state} {...{ laps, log, gaps }} last={span.last} />
      </main>
    </div>
  )
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** Publishes the state at once when the driver's screen changes, and not only once a second. */
function useGlassFrames(player: Player, changes: ReturnType<typeof glassChanges>) {
  useEffect(() => {
    let shown = glassAt(changes, player.state.time)
    return player.onFrame(time => {
      const message = glassAt(changes, time)
      if (message === shown) return
      shown = message
      player.publish()
    })
  }, [player, changes])
}

interface Span {
  first: number
  last: number
}

/** Returns the clock of a replay and its positions, for as long as the screen is open. */
function usePlayer(
  sessionId: string,
  { span, startAt }: { span: Span; startAt: number | null },
): { player: Player; store: PositionStore } {
  const [replay] = useState(() => {
    const store = new PositionStore(
      span,
      (from, until) => readPositions(sessionId, { from, until }),
      () => player.refresh(),
    )
    const player: Player = new Player({
      ...span,
      startAt,
      isReady: time => {
        store.want(time)
        return store.isLoaded(time)
      },
      nextFrame: act => {
        const frame = requestAnimationFrame(act)
        return () => cancelAnimationFrame(frame)
      },
    })
    return { player, store }
  })
  const { player, store } = replay
  useEffect(() => {
    player.extend(span.last)
    store.extend(span.last)
    store.forgetBefore(span.first)
    player.refresh()
  }, [player, store, span.first, span.last])
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t !== 'laps-changed') return
    store.reload()
    player.refresh()
  })
  useEffect(() => {
    const stop = player.onFrame(time => store.want(time))
    return () => {
      stop()
      player.pause()
    }
  }, [player, store])
  return replay
}

/** Returns the state of the player, at most once a second while it plays. */
function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(
    listener => player.onState(listener),
    () => player.state,
  )
}
