import { type CSSProperties, useRef } from 'react'
import type { LaidStint } from '#racing/race/planTypes.ts'
import { planText } from '#web/text/plan.ts'
import { threeLetters } from '#web/ui/threeLetters.ts'
import styles from './Plan.module.css'
import {
  driverName,
  plateOf,
  problemsText,
  raceTime,
  type ShownPlan,
  wholeMinutes,
} from './planNames.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Hours between two labels of the axis, so that at most eight are shown. */
const mostLabels = 8

interface Props extends ShownPlan {
  /** Shows a stint with this length while its end is moved. */
  onDrag: (number: number, lengthMs: number) => void
  /** Sets the length of a stint; null: the user can only watch. */
  onMove: ((number: number, lengthMs: number) => void) | null
}

/** The stints as bars against time. The end of each planned one can be moved. */
export function PlanBars({ onDrag, onMove, ...shown }: Props) {
  const { race, plan, request } = shown
  const lastMs = Math.max(request.raceMs, plan.stints.at(-1)?.toMs ?? 0, 1)
  const percent = (ms: number) => `${(ms / lastMs) * 100}%`
  const isRunning = race.race?.startedAt != null
  // Sliders move in whole minutes.
  const laneMinutes = Math.ceil(lastMs / minuteMs)

  /** Returns the length of a stint that ends here: at least a minute, and until the end of the race. */
  function lengthTo({ fromMs, state }: LaidStint, toMs: number): number {
    const leastMs = state === 'now' ? request.nowMs - fromMs : 0
    const mostMs = request.raceMs - fromMs
    return Math.round(Math.max(minuteMs, leastMs, Math.min(mostMs, toMs - fromMs)))
  }

  return (
    <section aria-label={planText.bars} className={styles.bars}>
      {isRunning && (
        <i className={styles.now} style={{ left: percent(request.nowMs) }} aria-hidden />
      )}
      <div className={styles.lane}>
        {plan.stints.map((stint, index) => {
          const { number, state, fromMs, toMs } = stint
          const isOver = problemsText(plan.problems, number).length > 0
          const driven = Math.max(0, Math.min(1, (request.nowMs - fromMs) / (toMs - fromMs || 1)))
          const isMovable = onMove && state !== 'driven' && index < plan.stints.length - 1
          return (
            <div key={number}>
              <div
                className={styles.bar}
                data-state={state}
                data-over={isOver || undefined}
                style={
                  {
                    left: percent(fromMs),
                    width: `calc(${percent(toMs - fromMs)} - 3px)`,
                    '--driven': `${driven * 100}%`,
                  } as CSSProperties
                }
                aria-hidden
              >
                <span>
                  {threeLetters(plateOf(shown, stint))}
                  <small>
                    {wholeMinutes(stint)}
                    <u> min</u>
                  </small>
                </span>
              </div>
              {isMovable && (
                <StintEnd
                  name={planText.stintEnd(driverName(shown, stint), raceTime(race, toMs))}
                  minutes={wholeMinutes(stint)}
                  toMinute={Math.round(toMs / minuteMs)}
                  laneMinutes={laneMinutes}
                  onDrag={minute => onDrag(number, lengthTo(stint, minute * minuteMs))}
                  onMove={minute => onMove(number, lengthTo(stint, minute * minuteMs))}
                />
              )}
            </div>
          )
        })}
      </div>
      <div className={styles.axis} aria-hidden>
        {labelsOf(lastMs).map((ms, index) => (
          <span key={ms} data-odd={index % 2 === 1 || undefined} style={{ left: percent(ms) }}>
            {raceTime(race, ms)}
          </span>
        ))}
      </div>
    </section>
  )
}

interface StintEndProps {
  name: string
  minutes: string
  /** The end of the stint in minutes of the race. */
  toMinute: number
  laneMinutes: number
  onDrag: (minute: number) => void
  onMove: (minute: number) => void
}

/** A slider as wide as the lane. Only its thumb, at the end of the stint, is visible. */
function StintEnd({ name, minutes, toMinute, laneMinutes, onDrag, onMove }: StintEndProps) {
  const isMoving = useRef(false)
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
      min={0}
      max={laneMinutes}
      value={toMinute}
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

function labelsOf(lastMs: number): number[] {
  const everyMs = Math.max(1, Math.ceil(lastMs / hourMs / mostLabels)) * hourMs
  const count = Math.floor(lastMs / everyMs) + 1
  return Array.from({ length: count }, (_, index) => index * everyMs)
}
