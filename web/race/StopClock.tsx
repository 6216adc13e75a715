import type { CSSProperties } from 'react'
import type { Message } from '#contract/messages.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import { messageText } from '#web/text/message.ts'
import { pitStopText } from '#web/text/pitStop.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './StopClock.module.css'
import type { CarRace } from './shownCarRace.ts'
import { minimumText, stopFigure } from './stopFigure.ts'
import { clockTickMs, useServerNow } from './useServerNow.ts'

interface Props {
  race: CarRace
  /** The message that the stop has taken the place of, which is a plate unless the stop obeys it; null for none. */
  replaced: Pick<Message, 'type' | 'ask' | 'colour'> | null
}

/** The pit stop of a car in place of its board or lane: the clock since the line, and how long the minimum lasts. */
export function StopClock({ race, replaced }: Props) {
  const now = useServerNow(clockTickMs)
  const stop = currentStop(race, now)
  if (!stop) return null
  const { inPits, doneIn, isDone } = stopFigure(stop, now)
  const { minimumMs, elapsedMs, doneAt } = stop
  const order = replaced?.ask || replaced?.type === 'Pit' ? null : (replaced?.type ?? null)
  const share = doneAt === null ? 0 : elapsedMs / Math.max(1, elapsedMs + doneAt - now)
  return (
    <section className={styles.stop} aria-label={pitStopText.pitStop} data-stop>
      <div className={styles.grid}>
        <p className={styles.clock}>
          <small>
            {order !== null ? (
              <>
                <strong className={tones.toned} data-tone={replaced?.colour ?? order.toLowerCase()}>
                  {messageText.plate(order)}
                </strong>{' '}
                {pitStopText.pitStop}
              </>
            ) : (
              pitStopText.sinceLine
            )}
          </small>
          <b role="timer" style={{ '--characters': inPits.length } as CSSProperties}>
            {inPits}
          </b>
        </p>
        {minimumMs !== null && (
          <p className={styles.rest} data-done={isDone || undefined}>
            <small>{isDone ? pitStopText.minimumDone : pitStopText.doneIn}</small>
            <b>{isDone ? pitStopText.done.toUpperCase() : (doneIn ?? pitStopText.noTime)}</b>
            <small>{minimumText(minimumMs, stop)}</small>
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

/** The clock of a stop above a message: Pit stop 2:41, done in 0:20. Nothing outside the pits. */
export function StopStrip({ race }: { race: CarRace }) {
  const now = useServerNow(clockTickMs)
  const stop = currentStop(race, now)
  if (!stop) return null
  const { inPits, doneIn, isDone } = stopFigure(stop, now)
  const rest = isDone ? pitStopText.done.toUpperCase() : doneIn && `${pitStopText.doneIn} ${doneIn}`
  return (
    <p className={styles.strip}>
      <small>{pitStopText.pitStop} </small>
      <b>{inPits}</b>
      {rest && <span>{rest}</span>}
    </p>
  )
}
