import { WifiOff } from 'lucide-react'
import styles from './OfflineBanner.module.css'

interface Props {
  children: string
  /** Label of the action button. */
  action?: string
  onAction?: () => void
}

/** A banner above the bar, across the page, such as the offline notice. */
export function OfflineBanner({ children, action, onAction }: Props) {
  return (
    <output className={styles.banner} data-offline-banner>
      <WifiOff aria-hidden />
      <span>{children}</span>
      {action !== undefined && (
        <button type="button" onClick={onAction}>
          {action}
        </button>
      )}
    </output>
  )
}
