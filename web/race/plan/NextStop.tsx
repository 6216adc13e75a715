import type { ReactNode } from 'react'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import type { PitLoss } from '#racing/race/pitLoss.ts'
import type { PlanSheet } from '#racing/race/planSheet.ts'
import { stopRule } from '#racing/race/rules.ts'
import type { StopClock } from '#racing/race/stopClock.ts'
import { lapsToPitFigure, missingStops } from '#web/race/lapsToPitFigure.ts'
import { stopFigure } from '#web/race/stopFigure.ts'
import { fuelText } from '#web/text/fuel.ts'
import { planText } from '#web/text/plan.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { litresText, stopText } from './fieldTimes.ts'
import styles from './Plan.module.css'
import { plannedDriverName, raceTime, type ShownPlan } from './planNames.ts'

interface Props extends ShownPlan {
  sheet: PlanSheet
  strategy: CarStrategy
}

/** The stop of a car in the pits; else the next one. */
export function NextStop({ nowMs, ...next }: Props & { nowMs: number }) {
  const stop = currentStop(next.race, nowMs)
  return stop ? <InPits {...next} {...{ stop, nowMs }} /> : <Next {...next} />
}

/** The clock of the current stop, its driver and its litres, as on the wall. */
function InPits({ sheet, stop, nowMs, ...shown }: Props & { stop: StopClock; nowMs: number }) {
  const { inPits, rest } = stopFigure(stop, nowMs)
  const open = sheet.visits.find(({ openSince }) => openSince !== null)
  const before = sheet.stints.find(({ number }) => number === open?.after)
  const after = sheet.stints.find(({ number }) => number === (before?.number ?? 0) + 1)
  const isChange = after && after.driver !== before?.driver
  return (
    <Board
      race={shown.race}
      title={fuelText.inPits}
      countdown={
        <p className={styles.countdown}>
          <b>{inPits}</b>
          <span>{rest && <strong>{`${rest.name} ${rest.value}`}</strong>}</span>
        </p>
      }
    >
      <dl>
        {isChange && <Term name={planText.in} value={plannedDriverName(shown, after)} />}
        {open?.litres != null && (
          <Term name={planText.litresTitle} value={litresText(open.litres)} />
        )}
        <Term
          name={planText.minimum}
          value={stop.minimumMs === null ? planText.noMinimum : stopText(stop.minimumMs)}
        />
      </dl>
    </Board>
  )
}

/** The next stop: its time and reason, as on the wall, then the next driver and the planned litres. */
function Next({ sheet, strategy, ...shown }: Props) {
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
    <Board
      race={race}
      title={next ? planText.next : (missing ?? planText.noNext)}
      countdown={
        (before || (missing !== null && pitIn.unit !== null)) && (
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
        )
      }
    >
      <dl>
        {next && <Term name={planText.in} value={plannedDriverName(shown, next)} />}
        {before?.litres != null && (
          <Term name={planText.litresTitle} value={litresText(before.litres)} />
        )}
        {before && strategy.lacksLitres && (
          <Term name={planText.litresTitle} value={fuelText.unknown} />
        )}
        <Term
          name={planText.minimum}
          value={minimum ? stopText(minimum.minimumMs) : planText.noMinimum}
        />
        <Term name={planText.stopsLeft} value={Math.max(stops.length, mandatoryStops)} />
      </dl>
      {more.length > 0 && <p className={styles.pitLoss}>{more.join(' ')}</p>}
    </Board>
  )
}

interface BoardProps {
  race: ShownPlan['race']
  title: string
  countdown: ReactNode
  children: ReactNode
}

function Board({ race, title, countdown, children }: BoardProps) {
  return (
    <section className={styles.board} aria-labelledby="next-stop">
      <div>
        <h2 id="next-stop" className={styles.boardTitle}>
          {race.car && <CarPlate number={race.car.number} onBoard />}
          {title}
        </h2>
        {countdown}
      </div>
      {children}
    </section>
  )
}

function Term({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function pitLossText({ greenMs, yellowMs }: PitLoss): string {
  // An estimate, which is rounded.
  const textOf = (ms: number) => stopText(Math.round(ms / 1000) * 1000)
  const green = textOf(greenMs)
  const yellow = yellowMs === null ? green : textOf(yellowMs)
  return yellow === green ? planText.pitLoss(green) : planText.bothPitLosses(green, yellow)
}
