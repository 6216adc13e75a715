import type { ToastKind } from '#web/ui/toasts.ts'

/** One thing said to the person. */
export interface Note {
  readonly id: number
  readonly kind: ToastKind
  readonly title: string
  readonly message: string | undefined
}

/** More than this would cover the page. */
export const mostNotes = 3

/**
 * The notes with a new one at the end. What is said again moves there instead of standing twice;
 * of too many the oldest success goes first, then the oldest of all.
 */
export function withNote(notes: readonly Note[], note: Note): readonly Note[] {
  const others = notes.filter(other => !saysTheSame(other, note))
  if (others.length < mostNotes) return [...others, note]
  const leaves = others.find(({ kind }) => kind === 'success') ?? others[0]
  return [...others.filter(other => other !== leaves), note]
}

function saysTheSame(a: Note, b: Note): boolean {
  return a.kind === b.kind && a.title === b.title && a.message === b.message
}
