import { useEffect, useMemo, useRef } from 'react'
import { greatestOf } from '#contract/shared/extremes.ts'
import type { ReplayFix } from '#contract/shared/positionColumns.ts'
import { isOverGap } from '#racing/laps/drivenLap.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { lapsText } from '#web/text/laps.ts'
import { replayText } from '#web/text/replay.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { localTime } from './localTime.ts'
import { linkMarks } from './marks.ts'
import type { Player } from './player.ts'
import type { PositionStore } from './positionStore.ts'
import styles from './SpeedChart.module.css'
import { linkHoles, type SpeedTrace, shareAt, speedTrace } from './speedTrace.ts'
import { useLapPositions } from './useReplayData.ts'

/** Outside whole laps the chart shows a part of the session of this length. */
const windowMs = 5 * 60 * 1000
const noPositions: readonly ReplayFix[] = []

/** Height of the drawing in its own units; its width is stretched. */
const height = 100

interface Props {
  sessionId: string
  player: Player
  store: PositionStore
  /** The lap at the time of the replay. */
  lap: ShownLap | null
  best: { lap: ShownLap; positions: readonly ReplayFix[] } | null
  time: number
  /** The times in which the data link was off. */
  gaps: readonly LinkGap[]
}

/** The speed over the current lap, against the best one; without laps, or where a gap hid the line, over five minutes. */
export function SpeedChart({ sessionId, player, store, best, time, gaps, ...rest }: Props) {
  // The distance of a lap over a gap is not known.
  const lap = rest.lap && isOverGap(rest.lap) ? null : rest.lap
  const lapPositions = useLapPositions(sessionId, lap)
  const windowStart = player.first + Math.floor((time - player.first) / windowMs) * windowMs
  const lapTrace = useMemo(() => speedTrace(lapPositions.data ?? noPositions), [lapPositions.data])
  const trace = lap
    ? lapTrace
    : timeTrace(store.between(windowStart, windowStart + windowMs), windowStart)
  const bestTrace = useMemo(() => best && speedTrace(best.positions), [best])
  const compared =
    lap && best && bestTrace && best.lap.startedAt !== lap.startedAt ? bestTrace : null
  const top = topSpeed(trace, compared)
  const window = { first: windowStart, last: windowStart + windowMs }
  const holes = lap ? linkHoles(trace, gaps) : linkMarks(gaps, window)
  return (
    <figure className={styles.chart} aria-label={labelOf(lap, compared && (best?.lap ?? null))}>
      <div className={styles.plot}>
        <svg viewBox={`0 0 1000 ${height}`} preserveAspectRatio="none" aria-hidden>
          {gridOf(top).map(kmh => (
            <path key={kmh} className={styles.grid} d={`M0 ${y(kmh, top)}H1000`} />
          ))}
          {compared && <path className={styles.best} d={lineOf(compared, top)} />}
          <path className={styles.line} d={lineOf(trace, top)} />
        </svg>
        {gridOf(top).map(kmh => (
          <span key={kmh} className={styles.kmh} style={{ top: `${y(kmh, top)}%` }}>
            {wholeNumber(kmh)}
          </span>
        ))}
        <span className={styles.unit}>{replayText.kmh}</span>
        {placesOf(trace, lap === null ? windowStart : null).map(({ share, text }) => (
          <span key={text} className={styles.place} style={{ left: `${share * 100}%` }}>
            {text}
          </span>
        ))}
        {holes.map(({ share, width }) => (
          <span
            key={share}
            className={styles.hole}
            style={{ left: `${share * 100}%`, width: `${width * 100}%` }}
          >
            <b>{lapsText.marks.link}</b>
          </span>
        ))}
        <Cursor player={player} trace={trace} />
      </div>
    </figure>
  )
}

/** The place of the car in the chart, moved outside React. */
function Cursor({ player, trace }: { player: Player; trace: SpeedTrace }) {
  const cursor = useRef<HTMLElement>(null)
  useEffect(
    () =>
      player.onFrame(time => {
        const here = shareAt(trace, time)
        cursor.current?.toggleAttribute('data-gone', here === null)
        if (here) cursor.current?.style.setProperty('--share', here.share.toFixed(4))
      }),
    [player, trace],
  )
  return <i ref={cursor} className={styles.cursor} data-gone="" />
}

/** Draws speeds over time instead of distance. */
function timeTrace(positions: readonly ReplayFix[], start: number): SpeedTrace {
  const { parts } = speedTrace(positions)
  return {
    lengthM: 0,
    parts: parts.map(part =>
      part.map(point => ({ ...point, share: (point.at - start) / windowMs })),
    ),
  }
}

function topSpeed(...traces: (SpeedTrace | null)[]): number {
  const speeds = traces.flatMap(trace => trace?.parts.flat() ?? []).map(({ kmh }) => kmh)
  return Math.max(60, greatestOf(speeds)) * 1.1
}

function gridOf(top: number): number[] {
  const step = top > 160 ? 50 : 25
  return [1, 2, 3, 4, 5, 6].map(n => n * step).filter(kmh => kmh < top * 0.95)
}

function y(kmh: number, top: number): number {
  return height - (kmh / top) * height
}

function lineOf({ parts }: SpeedTrace, top: number): string {
  return parts
    .map(part =>
      part
        .map(({ share, kmh }, n) =>
          [n === 0 ? 'M' : 'L', (share * 1000).toFixed(1), ' ', y(kmh, top).toFixed(1)].join(''),
        )
        .join(''),
    )
    .join('')
}

/** Kilometres along a lap, or times of day. */
function placesOf(
  { lengthM }: SpeedTrace,
  windowStart: number | null,
): { share: number; text: string }[] {
  if (windowStart !== null)
    return [0.2, 0.5, 0.8].map(share => ({
      share,
      text: localTime(windowStart + share * windowMs),
    }))
  const whole = Math.floor(lengthM / 1000)
  const step = Math.max(1, Math.ceil(whole / 6))
  return Array.from({ length: Math.floor(whole / step) }, (_, n) => (n + 1) * step)
    .map(km => ({ share: (km * 1000) / lengthM, text: replayText.km(wholeNumber(km)) }))
    .filter(({ share }) => share < 0.96)
}

function labelOf(lap: ShownLap | null, best: ShownLap | null): string {
  if (!lap) return replayText.speedOverTime
  const number = wholeNumber(lap.number)
  return best
    ? replayText.speedOfLapAndBest(number, wholeNumber(best.number))
    : replayText.speedOfLap(number)
}
