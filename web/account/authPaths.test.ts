import { expect, test } from 'vitest'
import { withEmail } from './authPaths.ts'

test('a path of the sign-in keeps the email and the redirect target', () => {
  const path = withEmail(
    '/auth/confirm-otp',
    'a+b@example.com',
    new URLSearchParams('next=/teams/1?x=2'),
  )
  const url = new URL(path, 'https://pit.example')
  expect(url.pathname).toBe('/auth/confirm-otp')
  expect(url.searchParams.get('email')).toBe('a+b@example.com')
  expect(url.searchParams.get('next')).toBe('/teams/1?x=2')
})

test('a path without email and redirect target has no query string', () => {
  expect(withEmail('/auth/sign-up', null, new URLSearchParams('refused=not-found'))).toBe(
    '/auth/sign-up',
  )
})

// spec: PR-7
test('a usability test in the URL becomes part of the redirect target', () => {
  const nextOf = (query: string) => {
    const path = withEmail('/auth/confirm-otp', 'a@b.example', new URLSearchParams(query))
    return new URL(path, 'https://pit.example').searchParams.get('next')
  }
  expect(nextOf('oruxt=7')).toBe('/teams?oruxt=7')
  expect(nextOf('oruxt=7&next=/teams/1?view=map')).toBe('/teams/1?view=map&oruxt=7')
})
