import { expect, test } from 'vitest'
import { limitedAddress, networkOf } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ab0F::1', '2001:db8:1:ab0f::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
])('%s is in %s, and in %s where strangers are counted', (ip, network, wide) => {
  expect([networkOf(ip), networkOf(ip, 48)]).toEqual([network, wide])
})

test('a closed connection has a network too', () => {
  expect(networkOf(undefined)).toBe('unknown')
})

test('loopback addresses are not limited', () => {
  expect(['127.0.0.1', '::ffff:127.0.0.1', '::1', undefined].map(limitedAddress)).toEqual(
    Array(4).fill(undefined),
  )
  expect(limitedAddress('203.0.113.7')).toBe('203.0.113.7')
})
