import { expect, test } from 'vitest'
import type { ToastKind } from '#web/ui/toasts.ts'
import { type Note, withNote, withoutTopic } from './toastList.ts'

function note(id: number, kind: ToastKind = 'error', title = `Note ${id}`): Note {
  return { id, kind, title, message: '', about: undefined }
}

function ids(notes: readonly Note[]) {
  return notes.map(({ id }) => id)
}

test('a new toast is added below the others', () => {
  expect(ids(withNote([note(1), note(2)], note(3)))).toEqual([1, 2, 3])
})

test('beyond three toasts the oldest success is removed', () => {
  const notes = [note(1), note(2, 'success'), note(3, 'success')]
  expect(ids(withNote(notes, note(4)))).toEqual([1, 3, 4])
})

test('beyond three errors the oldest is removed', () => {
  expect(ids(withNote([note(1), note(2), note(3)], note(4)))).toEqual([2, 3, 4])
})

test('a repeated toast appears once, as the newest', () => {
  const notes = [note(1, 'error', 'Not saved'), note(2)]
  expect(ids(withNote(notes, note(3, 'error', 'Not saved')))).toEqual([2, 3])
})

test('a new toast replaces one about the same topic', () => {
  const notes = [{ ...note(1), about: 'invite' }, note(2)]
  expect(ids(withNote(notes, { ...note(3, 'success'), about: 'invite' }))).toEqual([2, 3])
})

test('dismissing a topic keeps the other toasts', () => {
  const notes = [{ ...note(1), about: 'invite' }, note(2), { ...note(3), about: 'end' }]
  expect(ids(withoutTopic(notes, 'invite'))).toEqual([2, 3])
})
