import type { ReactNode } from 'react'
import styles from './IconButton.module.css'

interface Props {
  /** Accessible name and tooltip. */
  label: string
  icon: ReactNode
  onPress: () => void
}

/** A 48 px button without a visible label. */
export function IconButton({ label, icon, onPress }: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      {icon}
    </button>
  )
}
