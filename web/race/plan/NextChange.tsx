import type { PitLoss } from '#racing/race/pitLoss.ts'
import type { Strategy } from '#racing/race/strategy.ts'
import { planText } from '#web/text/plan.ts'
import { minutesText } from './fieldTimes.ts'
import styles from './Plan.module.css'
import { driverName, type ShownPlan } from './planNames.ts'

interface Props extends ShownPlan {
  strategy: Pick<Strategy, 'window' | 'pitLoss'>
}

/** The board of the next driver change. */
export function NextChange({ strategy: { window, pitLoss }, ...shown }: Props) {
  const { plan, request } = shown
  const { stints } = plan
  const nextIndex = stints.findIndex(({ state, number }) => state === 'next' && number > 1)
  const next = stints[nextIndex]
  const before = stints[nextIndex - 1]
  const { minStop, maxStintMs } = request.rules
  const stopsLeft = stints.filter(({ state, number }) => state === 'next' && number > 1).length
  return (
    <section className={styles.board} aria-labelledby="next-change">
      <div>
        <h2 id="next-change">{next ? planText.next : planText.noNext}</h2>
        {next && before && (
          <p className={styles.countdown}>
            <b>{minutesText(Math.max(0, before.toMs - request.nowMs))}</b>
            <span>
              <strong>{driverName(shown, next)}</strong>
              <small>{planText.for(driverName(shown, before))}</small>
            </span>
          </p>
        )}
      </div>
      <dl>
        <div>
          <dt>{window ? planText.window : planText.longest}</dt>
          <dd>
            {window
              ? planText.windowLaps(String(window.from), String(window.to))
              : maxStintMs === null
                ? '--'
                : planText.minutes(String(Math.round(maxStintMs / 60_000)))}
          </dd>
        </div>
        <div>
          <dt>{planText.minimumStop}</dt>
          <dd>{minStop ? minutesText(minStop.ms) : planText.noMinimum}</dd>
        </div>
        <div>
          <dt>{planText.stopsLeft}</dt>
          <dd>{stopsLeft}</dd>
        </div>
      </dl>
      {pitLoss && <p className={styles.pitLoss}>{pitLossText(pitLoss)}</p>}
    </section>
  )
}

function pitLossText({ greenMs, yellowMs }: PitLoss): string {
  const green = minutesText(greenMs)
  const yellow = yellowMs === null ? green : minutesText(yellowMs)
  return yellow === green ? planText.pitLoss(green) : planText.bothPitLosses(green, yellow)
}
