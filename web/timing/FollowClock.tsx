import { useQueryClient } from '@tanstack/react-query'
import type { Race } from '#contract/races.ts'
import { type ClockCorrection, clockCorrection } from '#racing/timing/clockCorrection.ts'
import { command } from '#web/api/call.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { carRaceKeys } from '#web/race/carRaceKeys.ts'
import { timingText } from '#web/text/timing.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { UndoButton } from '#web/ui/UndoButton.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './FollowClock.module.css'
import { clockText } from './figures.ts'
import { timingQuery } from './timingQuery.ts'
import type { OfficialState } from './useOfficialTiming.ts'

const topic = 'race-clock'

/**
 * Asks once whether the race clock follows race control's, and ends that again. The server stores the changes, so that the
 * race clock stays right after the feed has ended.
 */
export function FollowClock({ race, state }: { race: Race; state: OfficialState }) {
  const correction = useClockCorrection(race, state)
  const { follow, stop } = useFollow(race.id)
  const { followsClock, isFlagCurrent, isRecorded, run } = state
  const isRunning = race.startedAt !== null && race.endedAt === null
  if (followsClock && isRunning)
    return (
      <button
        type="button"
        className={styles.follow}
        disabled={stop.isPending}
        onClick={() => stop.mutate()}
      >
        <span>{isFlagCurrent ? timingText.follows : timingText.followsSilent}</span>{' '}
        <b>{timingText.stopFollowing}</b>
      </button>
    )
  const hasClock = isFlagCurrent && !isRecorded && (run?.timeToGoMs || run?.lapsToGo != null)
  if (!isRunning || !hasClock) return null
  return (
    <button
      type="button"
      className={styles.follow}
      disabled={follow.isPending}
      onClick={() => follow.mutate(race)}
    >
      <span>{correction ? questionOf(correction) : timingText.clockAgrees}</span>{' '}
      <b>{timingText.followIt}</b>
    </button>
  )
}

/** Returns how the race differs from race control's clock; null without one that is current, or while it follows that. */
export function useClockCorrection(
  race: Race | null,
  state: OfficialState | null,
): ClockCorrection | null {
  const now = useServerClock()
  if (!race || !state || state.followsClock) return null
  const { run, isFlagCurrent, isRecorded, lateMs } = state
  if (!run || !isFlagCurrent || isRecorded) return null
  const { timeToGoMs, lapsToGo, flagSilentForMs, standings } = run
  const leaderLaps = standings.find(({ position }) => position === 1)?.laps ?? null
  const ageMs = (flagSilentForMs ?? 0) + lateMs
  return clockCorrection(race, { timeToGoMs, lapsToGo, ageMs, leaderLaps }, now())
}

/** `was` is the race as it was when the button was pressed, which an undo restores. */
function useFollow(raceId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  const refresh = () =>
    Promise.all(
      [...carRaceKeys, ['races.list'], timingQuery(raceId).queryKey].map(queryKey =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  const stop = useCommand({
    topic,
    failed: timingText.notUndone,
    send: () => command('timing.followClock', { raceId, follow: false }),
    async onSuccess() {
      await refresh()
      toasts.success(timingText.clockStopped, timingText.clockStoppedText, topic)
    },
  })
  const undo = useCommand({
    topic,
    failed: timingText.notUndone,
    send: (was: Race) =>
      command('timing.followClock', { raceId, follow: false, ...clockBefore(was) }),
    async onSuccess() {
      await refresh()
      toasts.success(timingText.undone, timingText.clockUndone, topic)
    },
  })
  const follow = useCommand({
    topic,
    failed: timingText.notFollowed,
    onFailed: refresh,
    send: (was: Race) =>
      command('timing.followClock', { raceId, follow: true, ...clockBefore(was) }),
    async onSuccess(_, was) {
      await refresh()
      toasts.success(
        timingText.followed,
        <UndoButton onClick={() => undo.mutate(was)}>{timingText.undo}</UndoButton>,
        topic,
      )
    },
  })
  return { follow, stop }
}

function clockBefore({ startedAt, length, pauses }: Race) {
  return startedAt === null || length === null ? {} : { was: { startedAt, length, pauses } }
}

function questionOf(correction: ClockCorrection): string {
  return correction.kind === 'start'
    ? timingText.clockDiffers(clockText(correction.theirsMs), clockText(correction.oursMs))
    : timingText.lapsDiffer(correction.theirs, correction.ours)
}
