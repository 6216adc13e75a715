import { expect, test } from 'vitest'
import type { ToastKind } from '#web/ui/toasts.ts'
import { afterScreenChange, type Note, withNote, withoutMatter } from './notes.ts'

function note(id: number, kind: ToastKind = 'error', title = `Note ${id}`): Note {
  return { id, kind, title, message: undefined, about: undefined, raisedAtMs: 0 }
}

function ids(notes: readonly Note[]) {
  return notes.map(({ id }) => id)
}

test('a new note stands below the others', () => {
  expect(ids(withNote([note(1), note(2)], note(3)))).toEqual([1, 2, 3])
})

test('of four the oldest success leaves', () => {
  const notes = [note(1), note(2, 'success'), note(3, 'success')]
  expect(ids(withNote(notes, note(4)))).toEqual([1, 3, 4])
})

test('of four errors the oldest leaves', () => {
  expect(ids(withNote([note(1), note(2), note(3)], note(4)))).toEqual([2, 3, 4])
})

test('what is said again stands once, as the newest', () => {
  const notes = [note(1, 'error', 'Not saved'), note(2)]
  expect(ids(withNote(notes, note(3, 'error', 'Not saved')))).toEqual([2, 3])
})

test('of one matter the newest word alone stands', () => {
  const notes = [{ ...note(1), about: 'invite' }, note(2)]
  expect(ids(withNote(notes, { ...note(3, 'success'), about: 'invite' }))).toEqual([2, 3])
})

test('what is tried again takes back what was said about it, and nothing else', () => {
  const notes = [{ ...note(1), about: 'invite' }, note(2), { ...note(3), about: 'end' }]
  expect(ids(withoutMatter(notes, 'invite'))).toEqual([2, 3])
})

test('a note leaves with its screen unless it was raised by the change of screens', () => {
  const notes = [note(1), { ...note(2, 'success'), raisedAtMs: 9500 }]
  expect(ids(afterScreenChange(notes, 10_000))).toEqual([2])
})
