import { expect, test } from 'vitest'
import { keepingTest } from './keepingTest.ts'

// spec: PR-7
test.each([
  ['/teams', '?oruxt=7', '/teams?oruxt=7'],
  ['/teams/1?view=map', '?a=b&oruxt=7', '/teams/1?view=map&oruxt=7'],
  ['/teams?oruxt=7', '?oruxt=8', '/teams?oruxt=7'],
  ['/teams', '?a=b', '/teams'],
])('a redirect to %s from %s leads to %s', (to, search, expected) => {
  expect(keepingTest(to, search)).toBe(expected)
})
