import { WifiOff } from 'lucide-react'
import styles from './OfflineBanner.module.css'

/** A line across the page above the bar: this device cannot reach the server. */
export function OfflineBanner({ children }: { children: string }) {
  return (
    <div className={styles.banner} role="status" data-offline-banner>
      <WifiOff aria-hidden />
      {children}
    </div>
  )
}
