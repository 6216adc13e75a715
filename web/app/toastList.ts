import type { ReactNode } from 'react'
import type { ToastKind } from '#web/ui/toasts.ts'

export interface Note {
  readonly id: number
  readonly kind: ToastKind
  readonly title: string
  readonly message: ReactNode
  /** Its topic, so that a retry can dismiss it. */
  readonly about: string | undefined
}

/** Toasts at once: more would cover the page. */
export const maxNotes = 3

/**
 * Appends a toast. Replaces one with the same text or topic; beyond the limit removes the oldest
 * success, or else the oldest of all.
 */
export function withNote(notes: readonly Note[], note: Note): readonly Note[] {
  const others = notes.filter(other => !isReplacedBy(other, note))
  if (others.length < maxNotes) return [...others, note]
  const leaves = others.find(({ kind }) => kind === 'success') ?? others[0]
  return [...others.filter(other => other !== leaves), note]
}

/** Removes the toasts about a topic. */
export function withoutTopic(notes: readonly Note[], about: string): readonly Note[] {
  return notes.filter(note => note.about !== about)
}

function isReplacedBy(old: Note, note: Note): boolean {
  if (note.about !== undefined && note.about === old.about) return true
  return old.kind === note.kind && old.title === note.title && old.message === note.message
}
