import type { ToastKind } from '#web/ui/toasts.ts'

/** One thing said to the person. */
export interface Note {
  readonly id: number
  readonly kind: ToastKind
  readonly title: string
  readonly message: string | undefined
  /** What it is about, for what is tried again. */
  readonly about: string | undefined
  /** When it was raised, by the page's steady clock. */
  readonly raisedAtMs: number
}

/** More than this would cover the page. */
export const mostNotes = 3

/**
 * The notes with a new one at the end. What is said again, or about the same matter, moves there
 * instead of standing twice; of too many the oldest success goes first, then the oldest of all.
 */
export function withNote(notes: readonly Note[], note: Note): readonly Note[] {
  const others = notes.filter(other => !isReplacedBy(other, note))
  if (others.length < mostNotes) return [...others, note]
  const leaves = others.find(({ kind }) => kind === 'success') ?? others[0]
  return [...others.filter(other => other !== leaves), note]
}

/** The notes that are about something else. */
export function withoutMatter(notes: readonly Note[], about: string): readonly Note[] {
  return notes.filter(note => note.about !== about)
}

function isReplacedBy(old: Note, note: Note): boolean {
  if (note.about !== undefined && note.about === old.about) return true
  return old.kind === note.kind && old.title === note.title && old.message === note.message
}

/** A note raised this shortly before the screen changes is about the change, such as "Team created". */
const belongsToNextScreenMs = 1000

/** The notes that go along to a newly opened screen; the others leave with the screen they are about. */
export function afterScreenChange(notes: readonly Note[], nowMs: number): readonly Note[] {
  return notes.filter(({ raisedAtMs }) => nowMs - raisedAtMs < belongsToNextScreenMs)
}
