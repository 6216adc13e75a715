import { type CSSProperties, useRef } from 'react'
import { hourMs, minuteMs } from '#contract/shared/durations.ts'
import type { LaidStint } from '#racing/race/planTypes.ts'
import { planText } from '#web/text/plan.ts'
import { threeLetters } from '#web/ui/threeLetters.ts'
import { useMedia } from '#web/ui/useMedia.ts'
import { durationText } from './fieldTimes.ts'
import styles from './PlanBars.module.css'
import {
  brokenText,
  plannedDriverName,
  plateOf,
  raceTime,
  type ShownPlan,
  wholeMinutes,
} from './planNames.ts'

/** A phone in portrait. */
const narrow = '(max-width: 599px)'

/** Hours in one row of bars: 40 stints of a day stay readable. */
const rowHours = 6
const rowHoursOnPhone = 3
/** A shorter race fills its row; a part of a row this short beyond the others is part of the last one. */
const leastRowMs = 20 * minuteMs

interface Props extends ShownPlan {
  /** Shows a stint with this length while its end is moved. */
  onDrag: (number: number, lengthMs: number) => void
  /** Sets the length of a stint; null: the user can only watch. */
  onMove: ((number: number, lengthMs: number) => void) | null
}

/** The stints as bars against time, in rows of some hours. The end of each planned one can be moved. */
export function PlanBars({ onDrag, onMove, ...shown }: Props) {
  const { race, plan, request } = shown
  const rowMs = (useMedia(narrow) ? rowHoursOnPhone : rowHours) * hourMs
  const lastMs = Math.max(request.raceMs, plan.stints.at(-1)?.toMs ?? 0, 1)
  const rows = rowsOf(lastMs, rowMs)

  /** Returns the length of a stint that ends here: at least a minute, and until the end of the race. */
  function lengthTo({ fromMs, state }: LaidStint, toMs: number): number {
    const leastMs = state === 'now' ? request.nowMs - fromMs : 0
    const mostMs = request.raceMs - fromMs
    return Math.round(Math.max(minuteMs, leastMs, Math.min(mostMs, toMs - fromMs)))
  }

  return (
    <section aria-label={planText.bars} className={styles.bars}>
      {rows.map(row => (
        <BarRow
          key={row.fromMs}
          {...shown}
          row={row}
          isMovable={({ state, number }) =>
            onMove !== null && state !== 'driven' && number < plan.stints.length
          }
          onDrag={(stint, toMs) => onDrag(stint.number, lengthTo(stint, toMs))}
          onMove={(stint, toMs) => onMove?.(stint.number, lengthTo(stint, toMs))}
        />
      ))}
      {race.race?.startedAt == null && race.race?.startsAt == null && (
        <p className={styles.sinceStart}>{planText.sinceStart}</p>
      )}
    </section>
  )
}

/** A span of the race that is drawn in one row. */
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

function rowsOf(lastMs: number, rowMs: number): Span[] {
  const count = Math.max(1, Math.ceil((lastMs - leastRowMs) / rowMs))
  const isOnly = count === 1
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const fromMs = index * rowMs
    const toMs = isOnly ? lastMs : isLast ? Math.max(lastMs, fromMs + rowMs) : fromMs + rowMs
    return { fromMs, toMs }
  })
}

interface RowProps extends ShownPlan {
  row: Span
  isMovable: (stint: LaidStint) => boolean
  onDrag: (stint: LaidStint, toMs: number) => void
  onMove: (stint: LaidStint, toMs: number) => void
}

function BarRow({ row, isMovable, onDrag, onMove, ...shown }: RowProps) {
  const { race, plan, request } = shown
  const spanMs = row.toMs - row.fromMs
  const percent = (ms: number) =>
    `${((Math.min(row.toMs, Math.max(row.fromMs, ms)) - row.fromMs) / spanMs) * 100}%`
  const isNow =
    race.race?.startedAt != null && request.nowMs >= row.fromMs && request.nowMs < row.toMs
  const inRow = plan.stints.filter(({ fromMs, toMs }) => fromMs < row.toMs && toMs > row.fromMs)
  return (
    <div className={styles.row}>
      {isNow && <i className={styles.now} style={{ left: percent(request.nowMs) }} aria-hidden />}
      <div className={styles.lane}>
        {inRow.map(stint => {
          const { number, state } = stint
          const fromMs = Math.max(stint.fromMs, row.fromMs)
          const toMs = Math.min(stint.toMs, row.toMs)
          const isCutAfter = stint.toMs > row.toMs
          const driven = Math.max(0, Math.min(1, (request.nowMs - fromMs) / (toMs - fromMs || 1)))
          const share = (toMs - fromMs) / spanMs
          // The name is in the larger part of a bar, not under the line of the current time.
          const isMostDriven = driven >= 0.5
          const otherPart = `${(isMostDriven ? 1 - driven : driven) * share * 100}%`
          const isCrossed = isNow && state === 'now'
          return (
            <div key={number}>
              <div
                className={styles.bar}
                data-state={state}
                data-over={brokenText(plan.broken, number).length > 0 || undefined}
                data-open-left={stint.fromMs < row.fromMs || undefined}
                data-open-right={isCutAfter || undefined}
                style={
                  {
                    left: percent(fromMs),
                    width: `calc(${share * 100}% - ${isCutAfter ? 0 : 3}px)`,
                    '--driven': `${driven * 100}%`,
                    ...(isCrossed && {
                      [isMostDriven ? 'paddingRight' : 'paddingLeft']: otherPart,
                    }),
                  } as CSSProperties
                }
                aria-hidden
              >
                {/* The larger part of a stint has its name. */}
                {toMs - fromMs >= (stint.toMs - stint.fromMs) / 2 && (
                  <span>
                    {threeLetters(plateOf(shown, stint))}
                    <small>{durationText(stint.toMs - stint.fromMs)}</small>
                  </span>
                )}
              </div>
              {!isCutAfter && isMovable(stint) && (
                <StintEnd
                  name={planText.stintEnd(
                    plannedDriverName(shown, stint),
                    raceTime(race, stint.toMs),
                  )}
                  minutes={wholeMinutes(stint)}
                  row={row}
                  toMs={stint.toMs}
                  onDrag={minute => onDrag(stint, minute * minuteMs)}
                  onMove={minute => onMove(stint, minute * minuteMs)}
                />
              )}
            </div>
          )
        })}
      </div>
      <div className={styles.axis} aria-hidden>
        {hoursOf(row).map(ms => (
          <span key={ms} style={{ left: percent(ms) }}>
            {raceTime(race, ms)}
          </span>
        ))}
      </div>
    </div>
  )
}

interface StintEndProps {
  name: string
  minutes: string
  row: Span
  /** The end of the stint in the race. */
  toMs: number
  onDrag: (minute: number) => void
  onMove: (minute: number) => void
}

/**
 * A slider as wide as the row, in whole minutes. Only its thumb is visible. An end that is no whole minute moves the slider
 * by the rest of it.
 */
function StintEnd({ name, minutes, row, toMs, onDrag, onMove }: StintEndProps) {
  const isMoving = useRef(false)
  const [min, max] = [row.fromMs / minuteMs, row.toMs / minuteMs]
  const minute = Math.max(Math.ceil(min), Math.min(Math.floor(max), Math.round(toMs / minuteMs)))
  const restPercent = ((toMs / minuteMs - minute) / (max - min)) * 100
  const finish = (minute: string) => {
    if (!isMoving.current) return
    isMoving.current = false
    onMove(Number(minute))
  }
  return (
    <input
      type="range"
      className={styles.handle}
      aria-label={name}
      aria-valuetext={planText.minutes(minutes)}
      style={{ translate: `calc(${restPercent / 100} * (100% - 24px))` }}
      min={min}
      max={max}
      value={minute}
      onChange={({ target }) => {
        isMoving.current = true
        onDrag(Number(target.value))
      }}
      onPointerUp={({ currentTarget }) => finish(currentTarget.value)}
      onKeyUp={({ currentTarget }) => finish(currentTarget.value)}
      onBlur={({ currentTarget }) => finish(currentTarget.value)}
    />
  )
}

/** The whole hours of a row; fewer labels than fit on a phone. */
function hoursOf({ fromMs, toMs }: Span): number[] {
  const count = Math.floor((toMs - fromMs) / hourMs)
  return Array.from({ length: count + 1 }, (_, index) => fromMs + index * hourMs)
}
