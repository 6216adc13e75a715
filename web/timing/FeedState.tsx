import { silentFeedMs } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import { clockText, lineAgeText } from './figures.ts'
import { HandState } from './HandState.tsx'
import { OfficialFlag } from './OfficialFlag.tsx'
import styles from './TimingScreen.module.css'
import { officialState } from './useOfficialTiming.ts'

interface Props {
  timing: OfficialTiming
  /** Numbers of the team's cars in the race. */
  own: readonly string[]
  /** Time of the newest response, on this device's clock. */
  answeredAt: number
  /** True if the newest request failed. */
  isOffline: boolean
}

/** The flag, the clock and the connection state of the feed. A flag that is not current is grey, never green. */
export function FeedState({ timing, own, answeredAt, isOffline }: Props) {
  const nowMs = useDeviceSecond()
  const state = officialState(timing, answeredAt, nowMs)
  const { isCurrent } = state
  const { run, skippedLines } = timing
  const silentForMs =
    timing.silentForMs === null ? null : timing.silentForMs + Math.max(0, nowMs - answeredAt)
  const [title, text] = isOffline
    ? [timingText.notConnected, timingText.noAnswer]
    : stateOf({ ...timing, silentForMs })
  const missing = own.filter(
    number => !run?.standings.some(each => each.number === number && !each.entered),
  )
  return (
    <>
      {run && (
        <div className={styles.flagRow}>
          <OfficialFlag state={state} size="page" />
          {isCurrent && (run.lapsToGo !== null || run.timeToGoMs !== null) && (
            <p className={styles.clock}>
              <b>
                {run.lapsToGo !== null
                  ? timingText.laps(run.lapsToGo)
                  : clockText(run.timeToGoMs ?? 0)}
              </b>{' '}
              {timingText.toGo}
            </p>
          )}
        </div>
      )}
      <output
        className={styles.state}
        data-good={(isCurrent && !isOffline && !state.isRecorded) || undefined}
      >
        <b>{title}</b>
        <span>{text}</span>
        {skippedLines > 0 && <span>{timingText.unreadable(skippedLines)}</span>}
      </output>
      <HandState run={run} answeredAt={answeredAt} number={null} />
      {isCurrent && !run && <p className={typography.sub}>{timingText.noRun}</p>}
      {isCurrent && run && run.standings.length > 0 && missing.length > 0 && (
        <p className={styles.warning}>{timingText.notOurs(missing.join(', '))}</p>
      )}
    </>
  )
}

/** Returns the state of the source, and what to do. */
function stateOf({ source, failure, silentForMs, run }: OfficialTiming): [string, string] {
  if (source === null)
    return run ? [timingText.byHand, timingText.byHandText] : [timingText.none, timingText.noneText]
  if (failure !== null) return [timingText.notConnected, timingText.failures[failure]]
  if (silentForMs === null) return [timingText.waiting, timingText.waitingText]
  const age = lineAgeText(silentForMs)
  if (source.kind === 'recorded') return [timingText.recorded, timingText.recordedText(age)]
  return silentForMs > silentFeedMs
    ? [timingText.silent, timingText.silentText(age)]
    : [
        timingText.connected,
        timingText.lastLine(age, run?.standings.filter(car => !car.entered).length ?? 0),
      ]
}
