import type { CSSProperties } from 'react'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import { isPitCall, isSafetyOrder } from '#contract/shared/messageTypes.ts'
import { problemState } from '#contract/shared/problem.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import { messageText } from '#web/text/message.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import { problemText } from '#web/text/problem.ts'
import { ageText } from '#web/ui/ages.ts'
import tones from '#web/ui/board/tones.module.css'
import { exitedAt } from './exitedAt.ts'
import styles from './StopClock.module.css'
import type { CarRace } from './shownCarRace.ts'
import { downTo, stopFigure, wayOutText } from './stopFigure.ts'
import { clockTickMs, useServerNow } from './useServerNow.ts'

interface Props {
  race: CarRace
  /** The message that the stop has taken the place of, which is a plate unless the stop obeys it; null for none. */
  replaced: Message | null
  /** The driver's last report of a problem, which is a plate once a member has got it; null for none. */
  problem: Answer | null
}

/** The pit stop of a car in place of its board or lane: the clock since the line, and how long the minimum lasts. */
export function StopClock({ race, replaced, problem }: Props) {
  const now = useServerNow(clockTickMs)
  const stop = currentStop(race, now)
  if (!stop) return null
  const { inPits, isDone, rest } = stopFigure(stop, now)
  const { minimumMs, elapsedMs, doneAt } = stop
  const wayOut = wayOutText(stop)
  const order = replaced?.ask || isPitCall(replaced?.type) ? null : replaced
  const state = problemState(problem, exitedAt(race), now)
  const report = state === 'open' ? null : state && problem
  const share = doneAt === null ? 0 : elapsedMs / Math.max(1, elapsedMs + doneAt - now)
  return (
    <section className={styles.stop} aria-label={pitStopText.pitStop} data-stop>
      <div className={styles.grid}>
        <p className={styles.clock}>
          <small>
            {!order && !report && pitStopText.sinceLine}
            {order && <Replaced {...order} nowMs={now} />}
            {report && <strong>{problemText.beside(report)}</strong>}
          </small>
          <b role="timer" style={{ '--characters': inPits.length } as CSSProperties}>
            {inPits}
          </b>
        </p>
        {minimumMs !== null && (
          <p className={styles.rest} data-done={isDone || undefined}>
            <small>{rest?.name ?? pitStopText.doneIn}</small>
            <b>{rest?.value ?? pitStopText.noTime}</b>
            <small>{pitStopText.minimum(downTo(minimumMs))}</small>
            {wayOut !== null && !isDone && <small className={styles.wayOut}>{wayOut}</small>}
          </p>
        )}
      </div>
      {minimumMs !== null && (
        <p className={styles.bar}>
          <i style={{ width: `${Math.round(Math.min(1, isDone ? 1 : share) * 100)}%` }} />
        </p>
      )}
    </section>
  )
}

/** The order that the stop has taken the place of, and when the driver read it. A safety order is a full plate. */
function Replaced({ type, colour, copiedAt, shownAt, nowMs }: Message & { nowMs: number }) {
  if (type === null) return null
  const isSafety = isSafetyOrder(type)
  const ago = messageText.ago(ageText(nowMs - (copiedAt ?? shownAt ?? nowMs)))
  return (
    <>
      <strong
        className={tones.toned}
        data-tone={colour ?? type.toLowerCase()}
        data-safety={isSafety || undefined}
      >
        {messageText.plate(type)}
      </strong>{' '}
      <span className={styles.read}>
        {isSafety && pitStopText.inForce}{' '}
        {copiedAt === null ? pitStopText.notCopied(ago) : problemText.copied(ago)}
      </span>
    </>
  )
}

/** The clock of a stop above a message: Pit stop 2:41, Done in 0:20. Nothing outside the pits. */
export function StopStrip({ race }: { race: CarRace }) {
  const now = useServerNow(clockTickMs)
  const stop = currentStop(race, now)
  if (!stop) return null
  const { inPits, isDone, rest } = stopFigure(stop, now)
  return (
    <p className={styles.strip} data-stop-strip>
      <span>
        <small>{pitStopText.pitStop}</small> <b>{inPits}</b>
      </span>
      {rest && (
        <span>
          {!isDone && <small>{rest.name}</small>} <b>{rest.value}</b>
        </span>
      )}
    </p>
  )
}
