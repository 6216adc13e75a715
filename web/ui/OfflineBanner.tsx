import { WifiOff } from 'lucide-react'
import styles from './OfflineBanner.module.css'

interface Props {
  children: string
  /** The label of a button that does something about it. */
  action?: string
  onAction?: () => void
}

/** A line across the page above the bar: this device cannot reach the server. */
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
