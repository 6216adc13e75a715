import { expect, test } from 'vitest'
import { safeNext, signInFor } from './nextPath.ts'

const origin = 'https://pit.example'

test.each(['/teams', '/teams/1/members', '/teams/1/2/message?view=map#x', '/'])(
  'a path of this app is accepted: %s',
  next => {
    expect(safeNext(next, origin)).toBe(next)
  },
)

test.each([
  null,
  '',
  'teams',
  'https://evil.example/teams',
  '//evil.example/teams',
  '/\\evil.example/teams',
  '/\t/evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '/.//evil.example',
  '/teams/..//evil.example',
  '/%2e//evil.example',
])('a path that could lead to another site is rejected: %j', next => {
  expect(safeNext(next, origin)).toBeNull()
})

test.each(['/auth', '/auth/sign-in', '/auth/confirm-otp?email=a', '/teams/../auth/sign-in'])(
  'a path of the sign-in itself is rejected: %s',
  next => {
    expect(safeNext(next, origin)).toBeNull()
  },
)

test('dot segments are resolved first', () => {
  expect(safeNext('/teams/../new', origin)).toBe('/new')
})

// spec: RT-19
test('the sign-in URL keeps the path that was asked for', () => {
  const path = signInFor({ pathname: '/teams/1/2/message', search: '?view=map' })
  const next = new URL(path, origin).searchParams.get('next')
  expect(safeNext(next, origin)).toBe('/teams/1/2/message?view=map')
})

test('the default path is left out of the sign-in URL', () => {
  expect(signInFor({ pathname: '/teams', search: '' })).toBe('/auth/sign-in')
})

// spec: PR-7
test('the sign-in URL keeps the usability test of a link to the default path', () => {
  const path = signInFor({ pathname: '/teams', search: '?oruxt=7' })
  const next = new URL(path, origin).searchParams.get('next')
  expect(safeNext(next, origin)).toBe('/teams?oruxt=7')
})
