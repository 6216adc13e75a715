import type { CarStrategy } from '#racing/race/carStrategy.ts'
import type { PitLoss } from '#racing/race/pitLoss.ts'
import type { PlanSheet } from '#racing/race/planSheet.ts'
import { stopRule } from '#racing/race/rules.ts'
import { lapsToPitFigure, missingStops } from '#web/race/lapsToPitFigure.ts'
import { planText } from '#web/text/plan.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { litresText, stopText } from './fieldTimes.ts'
import styles from './Plan.module.css'
import { plannedDriverName, raceTime, type ShownPlan } from './planNames.ts'

interface Props extends ShownPlan {
  sheet: PlanSheet
  strategy: CarStrategy
}

/** The next stop: its time and reason, as on the wall, then the next driver and the planned litres. */
export function NextStop({ sheet, strategy, ...shown }: Props) {
  const { race, request } = shown
  const { window, pitLoss, isOverLimit, mandatoryStops } = strategy
  const stops = sheet.stints.filter(({ state, number }) => state === 'next' && number > 1)
  const [next] = stops
  const before = next && sheet.stints.find(({ number }) => number === next.number - 1)
  const minimum = stopRule(request.rules, before?.litres !== 0)
  const pitIn = lapsToPitFigure(strategy)
  const missing = next ? null : missingStops(strategy)
  const more = [
    isOverLimit && planText.lastLapOver,
    window && planText.windowLaps(window.from, window.to),
    pitLoss && pitLossText(pitLoss),
  ].filter(Boolean)
  return (
    <section className={styles.board} aria-labelledby="next-stop">
      <div>
        <h2 id="next-stop" className={styles.boardTitle}>
          {race.car && <CarPlate number={race.car.number} onBoard />}
          {next ? planText.next : (missing ?? planText.noNext)}
        </h2>
        {(before || (missing !== null && pitIn.unit !== null)) && (
          <p className={styles.countdown}>
            <b>
              {pitIn.value} {pitIn.unit}
            </b>
            <span>
              {pitIn.reason !== missing && <strong>{pitIn.reason}</strong>}
              {before && pitIn.unit !== null && !pitIn.isSoon && (
                <small>
                  {planText.nextAt(
                    planText.minutes(
                      String(Math.max(0, Math.round((before.toMs - request.nowMs) / 60_000))),
                    ),
                    raceTime(race, before.toMs),
                  )}
                </small>
              )}
            </span>
          </p>
        )}
      </div>
      <dl>
        {next && (
          <div>
            <dt>{planText.in}</dt>
            <dd>{plannedDriverName(shown, next)}</dd>
          </div>
        )}
        {before?.litres != null && (
          <div>
            <dt>{planText.litresTitle}</dt>
            <dd>{litresText(before.litres)}</dd>
          </div>
        )}
        <div>
          <dt>{planText.minimum}</dt>
          <dd>{minimum ? stopText(minimum.minimumMs) : planText.noMinimum}</dd>
        </div>
        <div>
          <dt>{planText.stopsLeft}</dt>
          <dd>{Math.max(stops.length, mandatoryStops)}</dd>
        </div>
      </dl>
      {more.length > 0 && <p className={styles.pitLoss}>{more.join(' ')}</p>}
    </section>
  )
}

function pitLossText({ greenMs, yellowMs }: PitLoss): string {
  // An estimate, which is rounded.
  const textOf = (ms: number) => stopText(Math.round(ms / 1000) * 1000)
  const green = textOf(greenMs)
  const yellow = yellowMs === null ? green : textOf(yellowMs)
  return yellow === green ? planText.pitLoss(green) : planText.bothPitLosses(green, yellow)
}
