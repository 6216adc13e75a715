import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import type { DriverFixes } from '#client/fixes/driverFixes.ts'
import type { Message } from '#contract/messages.ts'
import { isPitCall } from '#contract/shared/messageTypes.ts'
import { ruleOfVisit } from '#racing/race/currentStop.ts'
import { hasFinished } from '#racing/race/raceResult.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useSessionCircuit } from '#web/circuits/useSessionCircuit.ts'
import { textStore } from '#web/device/textStore.ts'
import { LapBoardView } from '#web/laps/LapBoardView.tsx'
import { atFinish, firstLapBoard, withRaceLap } from '#web/laps/lapBoard.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { exitedAt } from '#web/race/exitedAt.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import { stintBoardText } from '#web/text/stintBoard.ts'
import { DriverPanel } from './DriverPanel.tsx'
import type { DrivenLaps } from './drivenLaps.ts'
import { Foot, FootText } from './Foot.tsx'
import { LinePanel } from './LinePanel.tsx'
import { PitStop } from './PitStop.tsx'
import {
  DueStop,
  PlaceSlot,
  StintFoot,
  StintSlots,
  showsPlace,
  UntimedSlots,
} from './StintSlots.tsx'
import { deleteStoredLaps, readLaps } from './storedLaps.ts'
import { useDriven, useDrivenLaps } from './useDrivenLaps.ts'
import { useDrivenRace } from './useDrivenRace.ts'
import type { StopOnGlass } from './useGlass.ts'
import { usePitSpeed } from './usePitSpeed.ts'
import type { Gps } from './usePosition.ts'
import { showsStint } from './useStintBoard.ts'
import { useSpokenLap } from './useVoice.ts'

/** The laps of a session whose laps are not timed. */
const noLaps = { laps: [], visits: [] }

export interface DriveLapsProps {
  sessionId: string
  fixes: DriverFixes
  gps: Gps
  /** False while a message or something else is on the screen. */
  visible: boolean
  /** True while the car does not move. */
  standing: boolean
  /** True while the glass shows the buttons of a standing car. */
  isTapped: boolean
  /** True if the driver may be changed at standstill, also under a message. */
  mayChangeDriver: boolean
  /** The message of the phone, also while it is withheld: a stop takes the place of a PIT that called for it. */
  shown: DriverMessageState
  onStop: (stop: StopOnGlass) => void
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
  if (isOn) return <TimedLaps {...props} />
  return lapTiming === undefined ? null : <UntimedLaps {...props} />
}

/** A session whose laps are not timed: the stint and the official place, as far as there are any. */
function UntimedLaps(props: DriveLapsProps) {
  const { sessionId, gps, visible, standing, mayChangeDriver, message } = props
  const driven = useDrivenRace(sessionId, noLaps)
  const { race } = driven
  // Only the end of a problem depends on the visits that another phone of the car saw.
  useStop(props, { visits: noLaps.visits, leftAt: exitedAt(race), race })
  useEffect(() => deleteStoredLaps(textStore), [])
  return (
    <>
      {visible && race && (
        <UntimedSlots {...{ sessionId, race, gps }} foot={<FootText gps={gps} isPoor={false} />} />
      )}
      {standing && mayChangeDriver && <DriverPanel {...{ sessionId, driven, message }} />}
    </>
  )
}

function TimedLaps(props: DriveLapsProps) {
  const { sessionId, fixes, gps, visible, standing, mayChangeDriver, message, shown } = props
  const circuit = useSessionCircuit(sessionId)
  const drive = useDrivenLaps(sessionId, fixes)
  const laps = useDriven(drive, each => each.laps)
  const visits = useDriven(drive, each => each.visits)
  const driven = useDrivenRace(sessionId, { laps, visits })
  const { race } = driven
  const now = useServerClock()
  const limitKmh = race?.race?.rules.pitSpeedKmh ?? null
  const knowsPitOut = circuit != null && circuit.pitLane !== null
  const pits = usePitSpeed(gps, race?.visits ?? visits, { limitKmh, knowsPitOut, now })
  const isPoor = useDriven(drive, ({ board }) => board?.isPoor ?? false)
  const isRaceOver = (race?.race?.endedAt ?? null) !== null
  // A car that has finished makes no stop.
  const shownVisits = race && hasFinished(race) ? noLaps.visits : pits.visits
  const plate = useStop(props, { ...pits, leftAt: exitedAt(pits), race })
  // Each new lap changes `laps`, which renders this component again.
  useSpokenLap(drive.board, visible)
  return (
    <>
      <PitStop
        visits={shownVisits}
        isFast={pits.isFast}
        limitKmh={limitKmh}
        rule={race ? ruleOfVisit(race, shownVisits.at(-1)) : null}
        foot={<FootText gps={gps} isPoor={isPoor} />}
        visible={visible}
        isAbout={!knowsPitOut}
        plate={plate}
      >
        {visible && (
          <DrivenBoard
            drive={drive}
            race={race}
            foot={
              showsStint(race) && showsPlace(race) ? (
                <StintFoot {...{ race, gps, isPoor }} />
              ) : (
                <Foot gps={gps} isPoor={isPoor} />
              )
            }
          >
            {showsStint(race) ? (
              <StintSlots {...{ sessionId, race, gps }} />
            ) : (
              race && showsPlace(race) && <PlaceSlot {...{ sessionId, race }} />
            )}
          </DrivenBoard>
        )}
        {visible && (
          <LinePanel
            sessionId={sessionId}
            gps={gps}
            isOffered={props.isTapped}
            isKnown={circuit !== null}
          />
        )}
      </PitStop>
      {message !== null && shown.copied && !isPitCall(shown.message?.type) && showsStint(race) && (
        <DueStop {...{ race, gps }} />
      )}
      {standing && mayChangeDriver && !isRaceOver && (
        <DriverPanel {...{ sessionId, driven, message }} />
      )}
    </>
  )
}

const noneSeen = { seen: null, at: null }

/** Reports a stop to the screen. Returns the message that it has replaced while the car is in the pits. */
function useStop(
  { shown: { message, wasShown, copied }, onStop }: Pick<DriveLapsProps, 'shown' | 'onStop'>,
  {
    visits,
    leftAt,
    race,
  }: { visits: readonly Visit[]; leftAt: number | null; race: CarRace | undefined },
): Message | null {
  const now = useServerClock()
  const seen = message !== null && wasShown ? message.version : null
  const [first, setFirst] = useState<{ seen: number | null; at: number | null }>(noneSeen)
  // A safety order fills the screen of this phone for some seconds, whatever another phone has shown.
  if (first.seen !== seen) setFirst({ seen, at: seen === null ? null : now() })
  // The phone knows first what it has shown, and what the driver has acknowledged.
  const known = message && {
    ...message,
    shownAt: first.at,
    copiedAt: copied ? (message.copiedAt ?? message.sentAt) : null,
  }
  const size = useSizeOnGlass(known, { reply: null }, visits)
  const obeyed =
    message !== null && message.type !== null && size !== 'full' ? message.version : null
  const isInPits = visits.at(-1)?.endedAt === null
  const isRaceOver = (race?.race?.endedAt ?? null) !== null
  const finish = race && hasFinished(race) ? stintBoardText.finish : null
  useEffect(() => {
    const stop = { isInPits, exitedAt: leftAt, isRaceOver, finish, obeyed }
    onStop(stop)
    return () => onStop({ ...stop, isInPits: false })
  }, [onStop, isInPits, leftAt, isRaceOver, finish, obeyed])
  return size === 'small' && isInPits ? message : null
}

interface BoardProps {
  drive: DrivenLaps
  race: CarRace | undefined
  foot: ReactNode
  children: ReactNode
}

/** The last lap and the delta, which changes every second; before the first lap only beside a stint. */
function DrivenBoard({ drive, race, foot, children }: BoardProps) {
  const board = useDriven(drive, each => each.board) ?? (children ? firstLapBoard : null)
  if (!board) return null
  const shown = race && hasFinished(race) ? atFinish(board, race.laps) : board
  return (
    <LapBoardView board={race ? withRaceLap(shown, race) : shown} foot={foot}>
      {children}
    </LapBoardView>
  )
}
