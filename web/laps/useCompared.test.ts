import { expect, test } from 'vitest'
import { idsIn } from './useCompared.ts'

const [own, a, b, c, d] = [1, 2, 3, 4, 5].map(n => `00000000-0000-4000-8000-00000000000${n}`)

test('an address names at most three other sessions, each once', () => {
  expect(idsIn(`${a},${b},${a}`, own!)).toEqual([a, b])
  expect(idsIn([own, a, b, c, d].join(','), own!)).toEqual([a, b, c])
})

test('anything else in an address is ignored', () => {
  for (const text of ['', ',', 'x', `${a}x`, '../teams', `${a} ${b}`])
    expect(idsIn(text, own!)).toEqual([])
})
