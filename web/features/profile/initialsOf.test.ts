import { expect, test } from 'vitest'
import { initialsOf } from './initialsOf.ts'

const nobody = { id: '', firstName: null, lastName: null, email: null }

test('initials are the first letters of both names', () => {
  expect(initialsOf({ ...nobody, firstName: 'marta', lastName: 'Lindqvist' })).toBe('ML')
  expect(initialsOf({ ...nobody, firstName: 'Élodie', lastName: "d'Arc" })).toBe('ÉD')
})

test('someone without a name has the first letter of the e-mail', () => {
  expect(initialsOf({ ...nobody, email: 'zoe@example.com' })).toBe('Z')
})

test('someone without anything has a question mark', () => {
  expect(initialsOf(nobody)).toBe('?')
})
