import { useQueryClient } from '@tanstack/react-query'
import type { Race } from '#contract/races.ts'
import { type ClockCorrection, clockCorrection } from '#racing/timing/clockCorrection.ts'
import { command } from '#web/api/call.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { carRaceKeys } from '#web/race/carRaceKeys.ts'
import { UndoButton } from '#web/race/UndoButton.tsx'
import { timingText } from '#web/text/timing.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './FollowClock.module.css'
import { clockText } from './figures.ts'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  teamId: string
  race: Race
  state: OfficialState
}

const topic = 'race-clock'

/**
 * Asks whether to follow race control's clock, while it differs from the race clock. One press stores the correction, so
 * that the race clock stays right after the feed has ended.
 */
export function FollowClock({ teamId, race, state }: Props) {
  const correction = useClockCorrection(race, state)
  const follow = useFollow(teamId, race.id)
  if (!correction) return null
  return (
    <button
      type="button"
      className={styles.follow}
      disabled={follow.isPending}
      onClick={() => follow.mutate({ correction, was: race })}
    >
      <span>{questionOf(correction)}</span> <b>{timingText.followIt}</b>
    </button>
  )
}

/** Returns how the race differs from race control's clock; null without one that is current. */
export function useClockCorrection(
  race: Race | null,
  state: OfficialState | null,
): ClockCorrection | null {
  const now = useServerClock()
  if (!race || !state) return null
  const { run, isFlagCurrent, isRecorded, lateMs } = state
  if (!run || !isFlagCurrent || isRecorded) return null
  const { timeToGoMs, lapsToGo, flagSilentForMs, standings } = run
  const leaderLaps = standings.find(({ position }) => position === 1)?.laps ?? null
  const ageMs = (flagSilentForMs ?? 0) + lateMs
  return clockCorrection(race, { timeToGoMs, lapsToGo, ageMs, leaderLaps }, now())
}

interface Followed {
  correction: ClockCorrection
  /** The race as it was when the button was pressed, which may have changed before the answer. */
  was: Pick<Race, 'startedAt' | 'length'>
}

function useFollow(teamId: string, raceId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  const refresh = () =>
    Promise.all(
      [...carRaceKeys, ['races.list']].map(queryKey => client.invalidateQueries({ queryKey })),
    )
  const undo = useCommand({
    topic,
    failed: timingText.notUndone,
    send: ({ correction, was }: Followed) =>
      correction.kind === 'start'
        ? command('races.start', { raceId, at: was.startedAt })
        : command('races.save', { teamId, race: { id: raceId, length: was.length } }),
    async onSuccess() {
      await refresh()
      toasts.success(timingText.undone, timingText.clockUndone, topic)
    },
  })
  return useCommand({
    topic,
    failed: timingText.notFollowed,
    send: ({ correction, was: { length } }: Followed) =>
      correction.kind === 'start'
        ? command('races.start', { raceId, at: correction.startedAt })
        : command('races.save', {
            teamId,
            race: { id: raceId, length: { in: 'laps', laps: correction.theirs } },
            was: { length },
          }),
    async onSuccess(_, followed) {
      await refresh()
      toasts.success(
        timingText.followed,
        <UndoButton onClick={() => undo.mutate(followed)}>{timingText.undo}</UndoButton>,
        topic,
      )
    },
  })
}

function questionOf(correction: ClockCorrection): string {
  return correction.kind === 'start'
    ? timingText.clockDiffers(clockText(correction.theirsMs), clockText(correction.oursMs))
    : timingText.lapsDiffer(correction.theirs, correction.ours)
}
