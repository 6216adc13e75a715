import { useId } from 'react'
import styles from './FittedPlate.module.css'
import { FittedWord } from './FittedWord.tsx'
import tones from './tones.module.css'

interface LookProps {
  children: string
  tone: string
  /** A short note below the word. */
  note?: { short: string; full: string }
}

interface PlateProps extends LookProps {
  /** True if this message is on the board. */
  pressed: boolean
  disabled: boolean
  onPress: () => void
}

/** A plate with a word of any length, fitted to its width. */
export function FittedPlate({ children, tone, note, pressed, disabled, onPress }: PlateProps) {
  const noteId = useId()
  return (
    <>
      <button
        type="button"
        className={`${styles.plate} ${tones.toned}`}
        data-tone={tone}
        aria-pressed={pressed}
        aria-describedby={note && noteId}
        disabled={disabled}
        onClick={onPress}
      >
        <Inside {...(note && { note })}>{children}</Inside>
      </button>
      {note && (
        <span id={noteId} hidden>
          {note.full}
        </span>
      )}
    </>
  )
}

/** A plate that cannot be pressed, for previews. */
export function PlateLook({ children, tone }: LookProps) {
  return (
    <span className={`${styles.plate} ${tones.toned}`} data-tone={tone} data-still="">
      <Inside>{children}</Inside>
    </span>
  )
}

function Inside({ children, note }: Omit<LookProps, 'tone'>) {
  return (
    <>
      <span className={styles.word}>
        <FittedWord variant="solid">{children}</FittedWord>
      </span>
      {note && (
        <span className={styles.note} aria-hidden>
          {note.short}
        </span>
      )}
    </>
  )
}
