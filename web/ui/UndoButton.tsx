import type { ReactNode } from 'react'
import styles from '#web/ui/UndoButton.module.css'

/** The button in a toast that undoes the change it reports, or tries again. */
export function UndoButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.undo} onClick={onClick}>
      {children}
    </button>
  )
}
