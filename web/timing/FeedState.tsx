import { useEffect, useState } from 'react'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import { ageText, hoursText, toneOf } from './figures.ts'
import styles from './TimingScreen.module.css'

interface Props {
  timing: OfficialTiming
  /** Numbers of the team's cars in the race. */
  own: readonly string[]
  /** Time of the newest answer, on this device's clock. */
  answeredAt: number
  /** True if the newest request failed. */
  isOffline: boolean
}

/** Flag and clock of the feed, and whether it is connected. What is not current is grey, never green. */
export function FeedState({ timing: answered, own, answeredAt, isOffline }: Props) {
  const timing = useAged(answered, answeredAt)
  const { run, skippedLines } = timing
  const isCurrent = isConnected(timing) && !isOffline
  const [title, text] = isOffline ? [timingText.notConnected, timingText.noAnswer] : stateOf(timing)
  const missing = own.filter(number => !run?.standings.some(each => each.number === number))
  return (
    <>
      {run && (
        <div className={styles.flagRow}>
          <p className={styles.flag} data-tone={(isCurrent && toneOf(run.flag)) || undefined}>
            <b>{isCurrent ? (run.flag?.trim() ?? timingText.noFlag) : timingText.flagUnknown}</b>
            <span>{timingText.source}</span>
          </p>
          {isCurrent && (run.lapsToGo !== null || run.timeToGoMs !== null) && (
            <p className={styles.clock}>
              <b>
                {run.lapsToGo !== null
                  ? timingText.laps(run.lapsToGo)
                  : hoursText(run.timeToGoMs ?? 0)}
              </b>{' '}
              {timingText.toGo}
            </p>
          )}
        </div>
      )}
      <output className={styles.state} data-good={isCurrent || undefined}>
        <b>{title}</b>
        <span>{text}</span>
        {skippedLines > 0 && <span>{timingText.unreadable(skippedLines)}</span>}
      </output>
      {timing.source && isConnected(timing) && !run && (
        <p className={typography.sub}>{timingText.noRun}</p>
      )}
      {run && run.standings.length > 0 && missing.length > 0 && (
        <p className={styles.warning}>{timingText.notOurs(missing.join(', '))}</p>
      )}
    </>
  )
}

/** Returns an answer as it is until the feed would be silent, also if the next answer is late or does not come. */
function useAged(timing: OfficialTiming, answeredAt: number): OfficialTiming {
  const [agedAt, setAgedAt] = useState(0)
  const silentForMs = timing.silentForMs ?? 0
  const leftMs = Math.max(0, silentFeedMs - silentForMs)
  useEffect(() => {
    const timer = setTimeout(() => setAgedAt(answeredAt), leftMs)
    return () => clearTimeout(timer)
  }, [answeredAt, leftMs])
  if (agedAt !== answeredAt || timing.silentForMs === null) return timing
  return { ...timing, silentForMs: Math.max(silentForMs, silentFeedMs + 1) }
}

function isConnected({ failure, silentForMs }: OfficialTiming): boolean {
  return failure === null && silentForMs !== null && silentForMs <= silentFeedMs
}

/** Returns the state of the source, and what to do. */
function stateOf({ source, failure, silentForMs, run }: OfficialTiming): [string, string] {
  if (source === null) return [timingText.none, timingText.noneText]
  if (failure !== null) return [timingText.notConnected, timingText.failures[failure]]
  if (silentForMs === null) return [timingText.waiting, timingText.waitingText]
  const age = ageText(silentForMs)
  return silentForMs > silentFeedMs
    ? [timingText.silent, timingText.silentText(age)]
    : [timingText.connected, timingText.lastLine(age, run?.standings.length ?? 0)]
}
