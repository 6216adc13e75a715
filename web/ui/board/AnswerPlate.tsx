import type { ReactNode } from 'react'
import styles from './AnswerPlate.module.css'

/** The word of an answer. Its shape distinguishes the answers without colours. */
export function AnswerPlate({ kind, children }: { kind: string; children: ReactNode }) {
  return (
    <b className={styles.answer} data-kind={kind}>
      {children}
    </b>
  )
}
