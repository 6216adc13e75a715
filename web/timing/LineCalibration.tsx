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

/** How the laps of a car by GPS compare with its official passings of the feed. */
export function LineCalibration({ raceId, number, race, ...props }: Props) {
  const isInCar = sessionInCar(race) !== null
  const { data } = useQuery({
    ...queryOf('timing.passings', { raceId, number }, { refetchInterval: passingsMs }),
    enabled: isInCar,
  })
  if (!isInCar || !data) return null
  const official = data.passings.map(({ at }) => at)
  return <ComparedLine {...props} {...{ number, official }} crossed={crossingsOf(race)} />
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
}

/** How the crossings of a car compare with official passings, and the line moved accordingly. */
export function ComparedLine({ teamId, number, official, crossed, mayMove }: ComparedProps) {
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
        newest &&
        isOff(found) && (
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
