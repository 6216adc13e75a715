import { expect, test } from 'vitest'
import { circuitName } from './circuitName.ts'

const at = Date.UTC(2026, 10, 14, 12)

test('a learned circuit without a name is called by where and when it was learned', () => {
  expect(circuitName({ name: null, learned: { at, near: 'Genk' } })).toBe(
    'Learned near Genk, November 14',
  )
  expect(circuitName({ name: null, learned: { at, near: null } })).toBe('Learned on November 14')
  expect(circuitName({ name: 'Home', learned: { at, near: 'Genk' } })).toBe('Home')
})
