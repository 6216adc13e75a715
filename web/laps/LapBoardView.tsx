import type { ReactNode } from 'react'
import { lapBoardText } from '#web/text/lapBoard.ts'
import styles from './LapBoardView.module.css'
import type { DeltaSlot, LapBoard } from './lapBoard.ts'

interface Props {
  board: LapBoard
  /** The lower corner: a `LapBoardFoot`. */
  foot: ReactNode
  /** Two more slots: laps to pit and the stint. Without them lap and delta are larger. */
  children?: ReactNode
}

/** The last lap and the delta, as large as the screen allows. */
export function LapBoardView({ board: { time, lap, isPoor, delta }, foot, children }: Props) {
  return (
    <section className={styles.board} aria-label={lapBoardText.board} data-lap-board="">
      <div className={styles.slots} data-four={children ? '' : undefined}>
        <div className={styles.last} data-poor={isPoor || undefined}>
          <p className={styles.label}>
            <span>{lapBoardText.last}</span>
            <span>{lap}</span>
          </p>
          <p className={styles.figure}>{time}</p>
        </div>
        <Delta delta={delta} />
        {children}
      </div>
      {/* It changes every second: not worth recording in a support visit. */}
      <p className={styles.foot} data-openreplay-hidden="">
        {foot}
      </p>
    </section>
  )
}

/** The speed, or how poor the GPS is. */
export function LapBoardFoot({ figure, text }: { figure: string; text: string }) {
  return (
    <>
      {figure !== '' && <b>{figure}</b>}
      <span>{text}</span>
    </>
  )
}

/** The sign and the word carry the meaning; the colour only speeds it up. */
function Delta({ delta }: { delta: DeltaSlot }) {
  if (delta.tone === 'blank') return <div className={styles.delta} />
  if (delta.tone === 'note')
    return (
      <div className={styles.delta}>
        <p className={styles.note}>
          {delta.title}
          <small>{delta.text}</small>
        </p>
      </div>
    )
  return (
    <div className={styles.delta} data-tone={delta.tone}>
      <p className={styles.figure}>{delta.figure}</p>
      <p className={styles.word}>
        {delta.word} <small>{delta.than}</small>
        {/* The large time is that of the last lap. */}
        {delta.isCurrent && <small className={styles.current}>{lapBoardText.current}</small>}
      </p>
    </div>
  )
}
