import { LoaderCircle, MapPin, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useParams } from 'react-router'
import { lapBoardText } from '#web/text/lapBoard.ts'
import screen from './DriveScreen.module.css'
import styles from './LinePanel.module.css'
import panel from './Panel.module.css'
import { type LineNote, useLineHere } from './useLineHere.ts'
import { type Gps, useGps } from './usePosition.ts'

const text = lapBoardText.line

/** The panel closes above this speed: the car is not looking for the line any more. */
const closedAboveKmh = 80

interface Props {
  sessionId: string
  gps: Gps
  /** False while its button is not shown. */
  isOffered: boolean
  /** False while the circuit is not known, and has no line to move. */
  isKnown: boolean
}

/** A button of a standing car that opens the panel, which stays open while the car drives slowly to the line. */
export function LinePanel({ sessionId, gps, isOffered, isKnown }: Props) {
  const isFast = useGps(gps, ({ reading }) => (reading?.speedKmh ?? 0) > closedAboveKmh)
  const [open, setOpen] = useState(false)
  if (open && isFast) setOpen(false)
  const id = useId()
  if (!isOffered && !open) return null
  return (
    <>
      <button
        type="button"
        className={`${screen.corner} ${styles.open}`}
        data-line=""
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open ? <X size={20} aria-hidden /> : <MapPin size={20} aria-hidden />}
        {open ? text.close : text.open}
      </button>
      {open && <LineHere id={id} sessionId={sessionId} isKnown={isKnown} />}
    </>
  )
}

interface LineHereProps extends Pick<Props, 'sessionId' | 'isKnown'> {
  id: string
}

function LineHere({ id, sessionId, isKnown }: LineHereProps) {
  const { teamId = '' } = useParams()
  const { isBusy, tap, note } = useLineHere({ teamId, sessionId })
  return (
    <section id={id} className={`${panel.panel} ${styles.panel}`} aria-label={text.panel}>
      <p className={styles.hint}>{isKnown ? text.hint : text.learning}</p>
      <button
        type="button"
        className={styles.here}
        disabled={!isKnown}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && tap()}
      >
        {isBusy ? (
          <LoaderCircle className={styles.spinner} size={28} aria-hidden />
        ) : (
          <MapPin size={28} aria-hidden />
        )}
        {text.lineIsHere}
      </button>
      <Note note={note} isBusy={isBusy} />
    </section>
  )
}

function Note({ note, isBusy }: { note: LineNote | null; isBusy: boolean }) {
  return (
    <div className={styles.note} data-failed={note?.failed}>
      {/* Always rendered: screen readers announce only changes of a live region that exists already. */}
      <output>{note?.text}</output>
      {note?.action && (
        <button type="button" className={panel.button} disabled={isBusy} onClick={note.action.act}>
          {note.action.label}
        </button>
      )}
    </div>
  )
}
