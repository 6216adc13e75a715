import { useMemo, useSyncExternalStore } from 'react'
import { wallText } from '#web/text/wall.ts'
import { clock } from '#web/ui/dates.ts'
import typography from '#web/ui/theme/typography.module.css'
import styles from './Events.module.css'
import { joinOrdersToAll } from './ordersToAll.ts'
import type { WallLog } from './wallLog.ts'

interface Props {
  log: WallLog
  /** The number of cars on the wall. */
  cars: number
  /** Read from 3 m: times in hours and minutes. */
  big: boolean
}

/** Events of all cars, the newest first, in whole rows. Only urgent events are announced. */
export function Events({ log, cars, big }: Props) {
  const newest = useSyncExternalStore(
    listener => log.onChange(listener),
    () => log.newest,
  )
  const events = useMemo(() => joinOrdersToAll(newest, cars), [newest, cars])
  const urgent = events.find(event => event.urgent)
  return (
    <section className={styles.feed} data-big={big || undefined} aria-labelledby="wall-events">
      <h2 className={typography.h2} id="wall-events">
        {wallText.events}
      </h2>
      <p className={typography.hidden} role="alert">
        {urgent && `${urgent.plate}: ${urgent.word}`}
      </p>
      <div className={styles.rows} role="log" aria-live="off" aria-label={wallText.events}>
        {events.length > 0 && (
          <ol>
            {events.map(({ key, at, plate, lead, word, text }) => (
              <li key={key}>
                <time dateTime={new Date(at).toISOString()}>
                  {(big ? minute : clock).format(at)}
                </time>
                <span className={styles.plate}>{plate}</span>
                <span className={styles.text}>
                  {lead !== undefined && `${lead} `}
                  <b>{word}</b>
                  {text}
                </span>
              </li>
            ))}
          </ol>
        )}
        {events.length === 0 && <p className={styles.none}>{wallText.noEvents}</p>}
      </div>
    </section>
  )
}

const minute = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
