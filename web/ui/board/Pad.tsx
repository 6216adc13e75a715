import { type ReactNode, useId } from 'react'
import { withoutFocus } from '../withoutFocus.ts'
import styles from './Pad.module.css'
import tones from './tones.module.css'

/** A grid of plates, three per row, in fixed positions. */
export function Pad({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.pad} data-pad>
      <fieldset className={styles.grid} aria-label={label}>
        {children}
      </fieldset>
    </div>
  )
}

interface PlateProps {
  children: string
  /** Null for the plate without a colour. */
  tone: string | null
  /** This message is on the board. */
  pressed: boolean
  disabled: boolean
  /** A short note below the label, and its full text for screen readers. */
  note?: { short: string; full: string }
  onPress: () => void
}

/** One plate of the pad. It acts when the finger is lifted, so that sliding off cancels. */
export function Plate({ children, tone, pressed, disabled, note, onPress }: PlateProps) {
  const noteId = useId()
  return (
    <>
      <button
        type="button"
        className={`${styles.plate} ${tones.toned}`}
        data-tone={tone ?? undefined}
        aria-pressed={pressed}
        disabled={disabled}
        data-note={note?.short}
        aria-describedby={note && noteId}
        {...withoutFocus}
        onClick={onPress}
      >
        {children}
      </button>
      {note && (
        <span id={noteId} hidden>
          {note.full}
        </span>
      )}
    </>
  )
}
