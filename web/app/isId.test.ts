import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { isId } from './isId.ts'

test('a UUID can be an id', () => {
  expect(isId(randomUUID())).toBe(true)
})

test.each(['', 'create', 'members', '123', `${randomUUID()}x`, `x${randomUUID()}`])(
  '"%s" cannot be an id',
  text => {
    expect(isId(text)).toBe(false)
  },
)
