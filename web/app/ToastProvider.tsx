import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { appText } from '#web/text/app.ts'
import { Toast } from '#web/ui/Toast.tsx'
import { type ToastKind, type Toasts, ToastsContext, toastMs } from '#web/ui/toasts.ts'
import styles from './ToastProvider.module.css'
import { type Note, withNote, withoutTopic } from './toastList.ts'

interface Props {
  /** True for a screen that nothing may cover: it closes all toasts, and those raised on it wait until it closes. */
  quiet: boolean
  children: ReactNode
}

/** Shows the toasts raised through `useToasts`: at most three. */
export function ToastProvider({ quiet, children }: Props) {
  const [notes, setNotes] = useState<readonly Note[]>([])
  const toasts = useMemo(() => toastsInto(setNotes), [])
  const [wasQuiet, setWasQuiet] = useState(quiet)
  if (wasQuiet !== quiet) {
    setWasQuiet(quiet)
    if (quiet) setNotes([])
  }
  return (
    <ToastsContext value={toasts}>
      {children}
      <section className={styles.area} aria-label={appText.notifications}>
        {/* Always rendered: screen readers announce only changes of live regions that exist already.
            Errors interrupt, the others wait. */}
        {(['assertive', 'polite'] as const).map(live => (
          <div key={live} aria-live={live}>
            {(quiet ? [] : notes).filter(isAnnouncedBy(live)).map(note => (
              <NoteToast
                key={note.id}
                note={note}
                onDismiss={() => setNotes(now => now.filter(({ id }) => id !== note.id))}
              />
            ))}
          </div>
        ))}
      </section>
    </ToastsContext>
  )
}

function isAnnouncedBy(live: 'assertive' | 'polite') {
  return ({ kind }: Note) => (kind === 'error') === (live === 'assertive')
}

function NoteToast({ note, onDismiss }: { note: Note; onDismiss: () => void }) {
  const pauseHandlers = useAutoDismiss(onDismiss)
  return (
    <div className={styles.note} {...pauseHandlers}>
      <Toast
        kind={note.kind}
        title={note.title}
        message={note.message}
        closeLabel={appText.close}
        onClose={onDismiss}
      />
    </div>
  )
}

function toastsInto(change: (next: (now: readonly Note[]) => readonly Note[]) => void): Toasts {
  let lastId = 0
  const adder =
    (kind: ToastKind): Toasts['error'] =>
    (title, message, about) => {
      lastId += 1
      const note = { id: lastId, kind, title, message, about }
      change(now => withNote(now, note))
    }
  return {
    success: adder('success'),
    error: adder('error'),
    dismiss: about => change(now => withoutTopic(now, about)),
  }
}

/** Dismisses something after a delay, which is paused while a pointer or the focus is on it. */
function useAutoDismiss(onDismiss: () => void) {
  const [paused, setPaused] = useState(false)
  const dismiss = useEffectEvent(onDismiss)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismiss(), toastMs)
    return () => clearTimeout(timer)
  }, [paused])
  return {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
}
