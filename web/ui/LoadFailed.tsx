import { CircleAlert, RefreshCw } from 'lucide-react'
import { Button } from './Button.tsx'
import styles from './LoadFailed.module.css'

interface Props {
  title: string
  /** Nothing else stands on the page: this is its title. */
  whole?: boolean
  /** What happened and what to do. */
  message: string
  retryLabel: string
  retrying: boolean
  onRetry: () => void
}

/** Stands where something would be that could not be loaded. */
export function LoadFailed({ title, whole, message, retryLabel, retrying, onRetry }: Props) {
  const Title = whole ? 'h1' : 'p'
  return (
    <div className={styles.failed} role="alert">
      <Title className={styles.title}>
        <CircleAlert aria-hidden />
        {title}
      </Title>
      <p className={styles.message}>{message}</p>
      <Button look="quiet" narrow busy={retrying} onClick={onRetry}>
        {!retrying && <RefreshCw size={22} aria-hidden />}
        {retryLabel}
      </Button>
    </div>
  )
}
