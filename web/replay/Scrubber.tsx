import { type CSSProperties, useEffect, useMemo, useRef } from 'react'
import type { LoggedMessage } from '#contract/messages.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { replayText } from '#web/text/replay.ts'
import tones from '#web/ui/board/tones.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './Controls.module.css'
import { lapAt } from './lapTimes.ts'
import { localTime } from './localTime.ts'
import { lapMarks, linkMarks, wordMarks } from './marks.ts'
import type { Player, PlayerState } from './player.ts'

interface Props {
  player: Player
  state: PlayerState
  laps: readonly ShownLap[]
  log: readonly LoggedMessage[]
  /** The times in which the data link was off. */
  gaps: readonly LinkGap[]
  last: number
}

/** The slider of the time, with laps as ticks, messages and reports as small plates. */
export function Scrubber({ player, state, laps, log, gaps, last }: Props) {
  const { first } = player
  const box = useRef<HTMLDivElement>(null)
  const words = useMemo(() => wordMarks(log, { first, last }), [log, first, last])
  const rowsAbove = (width: 'wide' | 'narrow') =>
    Math.max(0, greatestOf(words.map(({ rows }) => rows[width] ?? 0)))
  const slider = useRef<HTMLInputElement>(null)
  useEffect(
    () =>
      player.onFrame(time => {
        const share = (time - player.first) / Math.max(1, player.last - player.first)
        box.current?.style.setProperty('--share', share.toFixed(5))
        if (slider.current) slider.current.valueAsNumber = time - player.first
      }),
    [player],
  )
  const lap = lapAt(laps, state.time)
  const time = localTime(state.time)
  const isInLap = lap !== null && lap.number > 0
  return (
    <div
      ref={box}
      className={styles.scrubber}
      style={
        { '--rows-wide': rowsAbove('wide'), '--rows-narrow': rowsAbove('narrow') } as CSSProperties
      }
    >
      <div className={styles.rail} />
      {linkMarks(gaps, { first, last }).map(({ share, width }) => (
        <i
          key={share}
          className={styles.gap}
          style={{ left: percent(share), width: percent(width) }}
        />
      ))}
      <Marks laps={laps} words={words} first={first} last={last} />
      <i className={styles.thumb} />
      <input
        ref={slider}
        className={styles.slider}
        type="range"
        min={0}
        max={last - first}
        step="any"
        aria-label={replayText.time}
        aria-valuetext={isInLap ? replayText.timeAndLap(time, wholeNumber(lap.number)) : time}
        onInput={({ currentTarget }) => player.seek(first + currentTarget.valueAsNumber)}
      />
    </div>
  )
}

interface MarksProps {
  laps: readonly ShownLap[]
  words: ReturnType<typeof wordMarks>
  first: number
  last: number
}

function Marks({ laps, words, first, last }: MarksProps) {
  const ticks = useMemo(() => lapMarks(laps, { first, last }), [laps, first, last])
  return (
    <>
      {ticks.map(({ at, number, share, label }) => (
        <i key={at} className={styles.tick} style={{ left: percent(share) }}>
          {label && <span data-label={label}>{lapText(number, at === ticks[0]?.at)}</span>}
        </i>
      ))}
      {words.map(({ key, word, tone, share, isShown, rows }) => (
        <span
          key={key}
          className={`${styles.plate} ${tones.toned}`}
          style={
            {
              left: percent(share),
              '--row-wide': rows.wide ?? 0,
              '--row-narrow': rows.narrow ?? 0,
            } as CSSProperties
          }
          data-tone={tone ?? undefined}
          data-report={tone === null || undefined}
          data-hollow={!isShown || undefined}
          data-only={onlyOf(rows)}
        >
          <b style={{ translate: percent(-share) }}>{word}</b>
        </span>
      ))}
    </>
  )
}

/** Returns the only screens with room for a word; undefined if both have it. */
function onlyOf({ wide, narrow }: ReturnType<typeof wordMarks>[number]['rows']) {
  if (wide === null) return 'none'
  return narrow === null ? 'wide' : undefined
}

function lapText(number: number, isFirst: boolean): string {
  const text = wholeNumber(number)
  return isFirst ? replayText.lap(text) : text
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}
