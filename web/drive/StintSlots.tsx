import type { ReactNode } from 'react'
import { stintBoardText } from '#web/text/stintBoard.ts'
import styles from './StintSlots.module.css'
import type { StintBoard } from './stintBoard.ts'
import { type DrivenStint, useStintBoard } from './useStintBoard.ts'

/** Laps to pit and the stint, as two slots of the lap board. */
export function StintSlots(stint: DrivenStint) {
  const board = useStintBoard(stint)
  if (!board) return null
  const { word, left, about, isSoon } = board.pitIn
  return (
    <>
      <p className={styles.pit} data-soon={isSoon || undefined}>
        <span className={styles.word}>
          {word}
          {about && <small>{about}</small>}
        </span>
        {left !== null && (
          <b className={styles.laps} data-long={left.length > 2 || undefined}>
            {left}
          </b>
        )}
      </p>
      <StintClock {...board} />
    </>
  )
}

/** The stint and minutes to the next stop share the screen where laps are not timed. */
export function UntimedStint({ foot, ...stint }: DrivenStint & { foot: ReactNode }) {
  const board = useStintBoard(stint)
  if (!board) return null
  return (
    <section className={styles.untimed} aria-label={stintBoardText.board} data-lap-board="">
      <StintClock {...board} />
      {board.minutes !== null && (
        <p className={styles.minutes}>
          <span className={styles.label}>{stintBoardText.pitInMinutes}</span>
          <b className={styles.time}>{board.minutes}</b>
        </p>
      )}
      {/* It changes every second: not worth recording in a support visit. */}
      <p className={styles.foot} data-openreplay-hidden="">
        {foot}
      </p>
    </section>
  )
}

function StintClock({ stint: { time, left, percent }, race }: Pick<StintBoard, 'stint' | 'race'>) {
  return (
    <div className={styles.stint} data-openreplay-hidden="">
      <p className={styles.label}>
        {stintBoardText.stint}
        {race && (
          <span>
            {race.label} <b>{race.value}</b>
          </span>
        )}
      </p>
      <p className={styles.clock}>
        <b className={styles.time} data-hours={time.length > 5 || undefined}>
          {time}
        </b>
        {left && (
          <span className={styles.left}>
            {left.time} <small>{left.word}</small>
          </span>
        )}
      </p>
      {percent !== null && (
        <p className={styles.bar} aria-hidden>
          <i style={{ width: `${percent}%` }} />
        </p>
      )}
    </div>
  )
}
