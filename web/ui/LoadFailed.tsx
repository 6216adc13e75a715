import { CircleAlert, RefreshCw } from 'lucide-react'
import { appText } from '#web/text/app.ts'
import { Button } from './Button.tsx'
import styles from './LoadFailed.module.css'

interface Props {
  title: string
  /** Set if the page shows nothing else: the title becomes the page's heading. */
  whole?: boolean
  /** The reason and what to do. */
  message: string
  retrying?: boolean
  onRetry: () => void
}

/**
 * Error state that replaces content that failed to load, with a retry button. It hides its message during a retry, so that
 * a screen reader reads it again after another failure.
 */
export function LoadFailed({ title, whole, message, retrying = false, onRetry }: Props) {
  const Title = whole ? 'h1' : 'p'
  return (
    <div className={styles.failed} role="alert" data-retrying={retrying || undefined}>
      <Title className={styles.title}>
        <CircleAlert aria-hidden />
        {title}
      </Title>
      <p className={styles.message}>{message}</p>
      <Button variant="quiet" narrow busy={retrying} onClick={onRetry}>
        {!retrying && <RefreshCw size={22} aria-hidden />}
        {appText.tryAgain}
      </Button>
    </div>
  )
}
