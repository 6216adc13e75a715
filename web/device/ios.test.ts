import { expect, test } from 'vitest'
import { iosOf, isOlder } from './ios.ts'

const safari = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version.replace('.', '_')} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`
const installed =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15'

test.each([
  [safari('16.4'), 5, false, { installed: false, version: [16, 4] }],
  // Its OS version in the user agent is frozen from 26 on.
  [
    safari('18.6').replace('Version/18.6', 'Version/26.0'),
    5,
    false,
    { installed: false, version: [26, 0] },
  ],
  [installed, 5, true, { installed: true, version: [17, 2] }],
  [mac, 5, false, { installed: false, version: [18, 4] }],
  [mac, 0, false, null],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile', 5, true, null],
] as const)(
  '%s with %d touch points, installed: %s',
  (userAgent, maxTouchPoints, isInstalled, ios) => {
    expect(iosOf({ userAgent, maxTouchPoints }, isInstalled)).toEqual(ios)
  },
)

test('an unknown version does not count as old', () => {
  expect(isOlder({ installed: true, version: null }, 18, 4)).toBe(false)
  expect(isOlder({ installed: true, version: [18, 3] }, 18, 4)).toBe(true)
  expect(isOlder({ installed: true, version: [17, 6] }, 18, 4)).toBe(true)
  expect(isOlder({ installed: true, version: [18, 4] }, 18, 4)).toBe(false)
  expect(isOlder({ installed: true, version: [26, 0] }, 18, 4)).toBe(false)
})
