import { useQuery } from '@tanstack/react-query'
import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { type Calibration, calibrationOf } from '#racing/timing/calibration.ts'
import { command } from '#web/api/call.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { type CarRace, sessionInCar } from '#web/race/carRace.ts'
import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './TimingScreen.module.css'

/** Poll interval: a car has a passing a lap. */
const passingsMs = 30_000

/** A line that is nearer than this stays: laps are shown in tenths. */
const leastLateMs = 50

interface Props {
  teamId: string
  raceId: string
  number: string
  race: CarRace
  /** False for viewers, who see the comparison only. */
  mayMove: boolean
}

/** How the laps of a car by GPS compare with its official passings, and the line moved accordingly. */
export function LineCalibration({ teamId, raceId, number, race, mayMove }: Props) {
  const sessionId = sessionInCar(race)
  const { data } = useQuery({
    ...queryOf('timing.passings', { raceId, number }, { refetchInterval: passingsMs }),
    enabled: sessionId !== null,
  })
  const move = useCommand({
    failed: timingText.lineNotMoved,
    send: ({ sessionId: id, at }: { sessionId: string; at: number }) =>
      command('circuits.setGate', { sessionId: id, gate: 'line', at }),
    onSuccess: () => undo.reset(),
  })
  const undo = useCommand({
    failed: timingText.notUndone,
    send: ({ id, version }: { id: string; version: number }) =>
      command('circuits.undo', { teamId, circuitId: id, version }),
  })
  if (sessionId === null || !data) return null
  const found = calibrationOf(
    data.passings.map(({ at }) => at),
    crossedLaps(race.laps)
      .filter(({ isSeen }) => isSeen)
      .slice(-2 * data.passings.length)
      .map(({ startedAt, timeMs }) => startedAt + timeMs),
  )
  if (!found) return null
  const moved = move.data?.circuit
  return (
    <div className={styles.calibration}>
      <p>
        {sentences(number, found).join(' ')}
        <small>{timingText.compared(found.count)}</small>
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
        isOff(found) && (
          <Button
            variant="quiet"
            busy={move.isPending}
            // The car was at the official line at this time.
            onClick={() =>
              move.mutate({ sessionId, at: Math.round(found.newestAt - found.lateMs) })
            }
          >
            {timingText.moveLine}
          </Button>
        )
      )}
    </div>
  )
}

/** True if the line is not where the official one is, beyond the uncertainty. */
function isOff({ lateMs, plusMinusMs }: Calibration): boolean {
  return Math.abs(lateMs) > Math.max(plusMinusMs, leastLateMs)
}

function sentences(number: string, found: Calibration): string[] {
  const { lateMs, plusMinusMs, lapPlusMinusMs } = found
  const line = timingText.lineOff(
    secondsText(Math.abs(lateMs)),
    lateMs < 0,
    secondsText(plusMinusMs),
  )
  return [
    ...(lapPlusMinusMs === null
      ? []
      : [timingText.lapsWithin(number, secondsText(lapPlusMinusMs))]),
    isOff(found) ? line : timingText.lineRight(number),
  ]
}

/** Formats seconds in hundredths, such as 0.08. */
function secondsText(ms: number): string {
  return (ms / 1000).toFixed(2)
}
