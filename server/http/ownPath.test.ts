import { expect, test } from 'vitest'
import { ownPath } from './ownPath.ts'

test.each(['/', '/teams', '/teams/1/2/message?view=map#x', '/teams/%C3%A9'])(
  'a path of this app is accepted: %s',
  path => {
    expect(ownPath(path)).toBe(path)
  },
)

test.each([
  undefined,
  null,
  ['/teams', '/teams'],
  '',
  'teams',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/teams/..//evil.example',
  '/%2e//evil.example',
  '/teams\\..',
  '/\t/evil.example',
  '/\n/evil.example',
  '/teams\r\nset-cookie: a=b',
  '/\u0000',
  '/\u007f',
  ' /teams',
  '/teams evil',
  '/é',
  `/${'x'.repeat(512)}`,
])('a text that could lead to another site, or is not a path, is refused: %j', text => {
  expect(ownPath(text)).toBeNull()
})
