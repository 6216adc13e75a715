import type { ReactNode } from 'react'
import styles from './UndoButton.module.css'

/** The button in a toast that undoes the change it reports. */
export function UndoButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.undo} onClick={onClick}>
      {children}
    </button>
  )
}
