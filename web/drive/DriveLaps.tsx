import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { DriverFixes } from '#client/fixes/driverFixes.ts'
import { stopRule } from '#racing/race/rules.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useSessionCircuit } from '#web/circuits/useSessionCircuit.ts'
import { textStore } from '#web/device/textStore.ts'
import { LapBoardView } from '#web/laps/LapBoardView.tsx'
import { firstLapBoard } from '#web/laps/lapBoard.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'
import { unsentFixesOf } from '#web/offline/fixStore.ts'
import { useLaps } from '#web/race/useLaps.ts'
import { DriverPanel } from './DriverPanel.tsx'
import { DriveLaps as Laps } from './drivenLaps.ts'
import { Foot, FootText } from './Foot.tsx'
import { LinePanel } from './LinePanel.tsx'
import { PitStop } from './PitStop.tsx'
import { StintSlots, UntimedStint } from './StintSlots.tsx'
import { deleteStoredLaps, drivenCircuit, readLaps } from './storedLaps.ts'
import { useDrivenRace } from './useDrivenRace.ts'
import type { Gps } from './usePosition.ts'
import { showsStint } from './useStintBoard.ts'
import { useSpokenLap } from './useVoice.ts'

/** The table of a session whose laps are not timed. */
const noLaps = { laps: [], visits: [] }

export interface DriveLapsProps {
  sessionId: string
  fixes: DriverFixes
  gps: Gps
  /** False while a message or something else is on the screen. */
  visible: boolean
  /** True while the car does not move. */
  standing: boolean
  /** True if the driver may be changed at standstill, also under a message. */
  mayChangeDriver: boolean
  /** Version of the message on the screen; null without one. */
  message: number | null
}

/** The laps on the driver's screen. Nothing is timed, stored or shown if lap timing is off. */
export function DriveLaps(props: DriveLapsProps) {
  const { sessionId } = props
  const live = useLiveSession(sessionId, ({ session }) => session?.lapTiming)
  const { data: fetched } = useQuery(sessionQuery(sessionId))
  const lapTiming = live ?? fetched?.lapTiming
  // After a reload without a network only the stored laps show that laps are timed.
  const isOn = lapTiming ?? readLaps(textStore, sessionId) !== null
  useEffect(() => {
    if (lapTiming === false) deleteStoredLaps(textStore)
  }, [lapTiming])
  if (isOn) return <TimedLaps {...props} />
  return lapTiming === undefined ? null : <UntimedLaps {...props} />
}

/** A session whose laps are not timed. Without cars and drivers it has no stint. */
function UntimedLaps({
  sessionId,
  gps,
  visible,
  standing,
  mayChangeDriver,
  message,
}: DriveLapsProps) {
  const driven = useDrivenRace(sessionId)
  const { race } = driven
  return (
    <>
      {visible && showsStint(race) && (
        <UntimedStint
          entries={race}
          {...noLaps}
          gps={gps}
          foot={<FootText gps={gps} isPoor={false} />}
        />
      )}
      {standing && mayChangeDriver && (
        <DriverPanel sessionId={sessionId} driven={driven} message={message} {...noLaps} />
      )}
    </>
  )
}

function TimedLaps(props: DriveLapsProps) {
  const { sessionId, fixes, gps, visible, standing } = props
  const channel = useChannel()
  const laps = useMemo(
    () => new Laps({ sessionId, serverClock: channel.clock, store: textStore }),
    [channel, sessionId],
  )
  const { data: table } = useLaps(sessionId)
  useEffect(() => {
    const drive = new AbortController()
    const undo = fixes.onReading(fix => laps.add(fix))
    // Without storage nothing was kept.
    const unsent = unsentFixesOf({ userId: channel.userId, sessionId }).catch(() => [])
    void unsent.then(each => laps.recover(each, drive.signal))
    return () => {
      drive.abort()
      undo()
      // The session's end closes this screen.
      const { session } = channel.session(sessionId)
      if (session?.status === 'Complete') deleteStoredLaps(textStore)
    }
  }, [laps, fixes, channel, sessionId])
  const reference = useLiveSession(sessionId, state => state.session?.lapReference)
  const targetMs = useLiveSession(sessionId, state => state.session?.targetLapMs)
  useEffect(() => {
    if (reference) laps.setComparison({ with: reference, targetMs: targetMs ?? null })
  }, [laps, reference, targetMs])
  useEffect(() => laps.setTable(table ?? null), [laps, table])
  const drivenRace = useDrivenRace(sessionId)
  const { race } = drivenRace
  useEffect(() => {
    if (race) laps.setVisits(race.pitVisits)
  }, [laps, race])
  const circuit = useSessionCircuit(sessionId)
  useEffect(() => laps.setCircuit(circuit ? drivenCircuit(circuit) : null), [laps, circuit])
  useEffect(() => {
    // Outside React: receipts change the message too.
    const follow = () => {
      const { session } = channel.session(sessionId)
      if (session) laps.setMessage(session.message)
    }
    follow()
    return channel.follow(sessionId, follow)
  }, [laps, channel, sessionId])
  const driven = useDriven(laps, each => each.laps)
  const visits = useDriven(laps, each => each.visits)
  const isPoor = useDriven(laps, ({ board }) => board?.isPoor ?? false)
  // Each new lap changes `driven`, which renders this component again.
  useSpokenLap(laps.board, visible)
  return (
    <>
      <PitStop
        visits={visits}
        rule={race?.race ? stopRule(race.race.rules, true) : null}
        foot={<FootText gps={gps} isPoor={isPoor} />}
        visible={visible}
      >
        {visible && (
          <DrivenBoard laps={laps} foot={<Foot gps={gps} isPoor={isPoor} />}>
            {showsStint(race) && (
              <StintSlots entries={race} laps={driven} visits={visits} gps={gps} />
            )}
          </DrivenBoard>
        )}
        {visible && (
          <LinePanel
            sessionId={sessionId}
            gps={gps}
            standing={standing}
            isKnown={circuit !== null}
          />
        )}
      </PitStop>
      {standing && props.mayChangeDriver && (
        <DriverPanel
          sessionId={sessionId}
          driven={drivenRace}
          message={props.message}
          laps={driven}
          visits={visits}
        />
      )}
    </>
  )
}

/** Returns the selected part. The component renders again only when that part changes. */
function useDriven<T>(laps: Laps, select: (laps: Laps) => T): T {
  return useSyncExternalStore(laps.onChange, () => select(laps))
}

/** The last lap and the delta, which changes every second; before the first lap only beside a stint. */
function DrivenBoard({
  laps,
  foot,
  children,
}: {
  laps: Laps
  foot: ReactNode
  children: ReactNode
}) {
  const board = useDriven(laps, each => each.board) ?? (children ? firstLapBoard : null)
  if (!board) return null
  return (
    <LapBoardView board={board} foot={foot}>
      {children}
    </LapBoardView>
  )
}
