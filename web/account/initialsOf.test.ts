import { expect, test } from 'vitest'
import { initialsOf } from './initialsOf.ts'

const nobody = { id: '', firstName: null, lastName: null, email: null }

test('initials are the first letters of both names', () => {
  expect(initialsOf({ ...nobody, firstName: 'marta', lastName: 'Lindqvist' })).toBe('ML')
  expect(initialsOf({ ...nobody, firstName: 'Élodie', lastName: "d'Arc" })).toBe('ÉD')
})

test('a person without a name has the first letter of the email address', () => {
  expect(initialsOf({ ...nobody, email: 'zoe@example.com' })).toBe('Z')
})

test('a person without name and email address has a question mark', () => {
  expect(initialsOf(nobody)).toBe('?')
})
