import { expect, test } from 'vitest'
import { safeNext, signInFor } from './nextPath.ts'

const origin = 'https://pit.example'

test.each(['/teams', '/teams/1/members', '/teams/1/2/message?view=map#x', '/'])(
  'a path of this app is followed: %s',
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
])('what could lead elsewhere is not followed: %j', next => {
  expect(safeNext(next, origin)).toBeNull()
})

test.each(['/auth', '/auth/sign-in', '/auth/confirm-otp?email=a', '/teams/../auth/sign-in'])(
  'the sign-in itself is no place to go after signing in: %s',
  next => {
    expect(safeNext(next, origin)).toBeNull()
  },
)

test('dots that would leave a folder are resolved first', () => {
  expect(safeNext('/teams/../new', origin)).toBe('/new')
})

// spec: RT-19
test('the sign-in knows where one wanted to go', () => {
  const path = signInFor({ pathname: '/teams/1/2/message', search: '?view=map' })
  const next = new URL(path, origin).searchParams.get('next')
  expect(safeNext(next, origin)).toBe('/teams/1/2/message?view=map')
})

test('the team list is where one goes anyway', () => {
  expect(signInFor({ pathname: '/teams', search: '' })).toBe('/auth/sign-in')
})
