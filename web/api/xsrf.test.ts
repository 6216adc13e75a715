import { afterEach, expect, test, vi } from 'vitest'
import { ownCookie, xsrfHeaders } from './xsrf.ts'

afterEach(() => vi.unstubAllGlobals())

function cookies(cookie: string) {
  vi.stubGlobal('document', { cookie })
}

// spec: CA-23
test('a command to our own server repeats the cookie in a header', () => {
  cookies('theme=dark; XSRF-TOKEN=abc%3D%3D; other=1')
  expect(xsrfHeaders('POST', '/api/teams.create')).toEqual({ 'X-XSRF-TOKEN': 'abc==' })
  expect(xsrfHeaders('DELETE', 'api/x')).toEqual({ 'X-XSRF-TOKEN': 'abc==' })
})

test('a read sends no token', () => {
  cookies('XSRF-TOKEN=abc')
  expect(xsrfHeaders('GET', '/api/teams.list')).toEqual({})
  expect(xsrfHeaders('HEAD', '/api/teams.list')).toEqual({})
})

test.each(['https://evil.example/api', '//evil.example/api', 'HTTP://evil.example'])(
  'the token is never sent to another site: %s',
  url => {
    cookies('XSRF-TOKEN=abc')
    expect(xsrfHeaders('POST', url)).toEqual({})
  },
)

test('a cookie is found by its whole name', () => {
  cookies('NOT-XSRF-TOKEN=no; XSRF-TOKEN-2=no')
  expect(ownCookie('XSRF-TOKEN')).toBeNull()
})
