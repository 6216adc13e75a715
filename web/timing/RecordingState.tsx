import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './TimingScreen.module.css'
import type { Recording } from './useRecording.ts'

/** How much of a recorded file this page has played, or why it has stopped. */
export function RecordingState({ recording: { progress, error, stop } }: { recording: Recording }) {
  if (progress !== null)
    return (
      <div className={styles.playing}>
        <output>{timingText.playing(Math.floor(progress * 100))}</output>
        <Button variant="quiet" narrow onClick={stop}>
          {timingText.stopPlaying}
        </Button>
      </div>
    )
  if (error === null) return null
  return (
    <p className={styles.warning} role="alert">
      {timingText.notPlayed} {error}
    </p>
  )
}
