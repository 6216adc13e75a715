import { useQuery } from '@tanstack/react-query'
import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { type Calibration, calibrationOf, lineState } from '#racing/timing/calibration.ts'
import { command } from '#web/api/call.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { type CarRace, sessionInCar } from '#web/race/shownCarRace.ts'
import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './TimingScreen.module.css'

/** Poll interval: a car has a passing a lap. */
const passingsMs = 30_000

interface Props {
  teamId: string
  raceId: string
  number: string
  race: CarRace
  /** False for viewers, who see the comparison only. */
  mayMove: boolean
}

/** How the laps of a car by GPS compare with its official passings of the feed. */
export function LineCalibration({ raceId, number, race, ...props }: Props) {
  const isInCar = sessionInCar(race) !== null
  const { data } = useQuery({
    ...queryOf('timing.passings', { raceId, number }, { refetchInterval: passingsMs }),
    enabled: isInCar,
  })
  if (!isInCar || !data) return null
  const official = data.passings.map(({ at }) => at)
  return (
    <ComparedLine
      {...props}
      {...{ number, official }}
      crossed={crossingsOf(race)}
      doubt={timingText.lineMayBeLate}
    />
  )
}

/** A crossing of the line by GPS, and the session whose phone saw it. */
interface Crossing {
  readonly at: number
  readonly sessionId: string
}

/** Returns the seen crossings of the line of a car, in order. */
export function crossingsOf(race: CarRace): Crossing[] {
  return crossedLaps(race.laps)
    .filter(({ isSeen }) => isSeen)
    .map(({ startedAt, timeMs, sessionId }) => ({ at: startedAt + timeMs, sessionId }))
}

interface ComparedProps {
  teamId: string
  number: string
  /** Official passings, as times of the server in order. */
  official: readonly number[]
  crossed: readonly Crossing[]
  mayMove: boolean
  /** Another cause that looks like a line in the wrong place. */
  doubt?: string
}

/** How the crossings of a car compare with official passings, and the line moved accordingly. */
export function ComparedLine(props: ComparedProps) {
  const { teamId, number, official, crossed, mayMove, doubt = '' } = props
  const move = useCommand({
    failed: timingText.lineNotMoved,
    send: async ({ sessionId, at }: Crossing) => {
      const { circuit } = await command('circuits.setGate', { sessionId, gate: 'line', at })
      return { circuitId: circuit.id, version: circuit.version, sessionId }
    },
    onSuccess: () => undo.reset(),
  })
  const undo = useCommand({
    failed: timingText.notUndone,
    send: (moved: { circuitId: string; version: number; sessionId: string }) =>
      command('circuits.undo', { teamId, ...moved }),
  })
  const found = calibrationOf(
    official,
    crossed.map(({ at }) => at),
  )
  if (!found) return null
  const newest = crossed.find(({ at }) => at === found.newestAt)
  const moved = move.data
  return (
    <div className={styles.calibration}>
      <p>
        {sentences(number, found).join(' ')}
        <small>
          {timingText.compared(found.count)} {lineState(found) === 'off' && doubt}
        </small>
      </p>
      {undo.isSuccess ? (
        <output>{timingText.lineBack}</output>
      ) : moved ? (
        <>
          <output>{timingText.lineMoved}</output>
          <Button variant="quiet" busy={undo.isPending} onClick={() => undo.mutate(moved)}>
            {timingText.undo}
          </Button>
        </>
      ) : (
        mayMove &&
        newest &&
        lineState(found) === 'off' && (
          <Button
            variant="quiet"
            busy={move.isPending}
            // The car was at the official line at this time.
            onClick={() => move.mutate({ ...newest, at: Math.round(newest.at - found.lateMs) })}
          >
            {timingText.moveLine}
          </Button>
        )
      )}
    </div>
  )
}

function sentences(number: string, found: Calibration): string[] {
  const { lateMs, plusMinusMs, lapPlusMinusMs } = found
  const seconds = secondsText(Math.abs(lateMs))
  const line = {
    right: timingText.lineRight(number),
    off: timingText.lineOff(seconds, lateMs < 0, secondsText(plusMinusMs)),
    'too far': timingText.lineTooFar(number, seconds),
  }
  return [
    ...(lapPlusMinusMs === null
      ? []
      : [timingText.lapsWithin(number, secondsText(lapPlusMinusMs))]),
    line[lineState(found)],
  ]
}

/** Formats seconds in hundredths, such as 0.08. */
function secondsText(ms: number): string {
  return (ms / 1000).toFixed(2)
}
