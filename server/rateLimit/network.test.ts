import { expect, test } from 'vitest'
import { limitedAddress, networkLimits, networksOf } from './network.ts'

test.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1:0::/48']],
  ['2001:0DB8:0001:ab0F::1', ['2001:db8:1:ab0f::/64', '2001:db8:1:ab00::/56', '2001:db8:1:0::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0:0::/48']],
])('%s is in %j', (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks)
})

test('a closed connection has a network too', () => {
  expect(networksOf(undefined)).toEqual(['unknown'])
})

test('two /64 share the allowance of their /56, but not across /48', () => {
  const shared = (a: string, b: string) =>
    networksOf(a).filter(network => networksOf(b).includes(network))
  expect(shared('2001:db8:1:201::1', '2001:db8:1:2ff::1')).toEqual([
    '2001:db8:1:200::/56',
    '2001:db8:1:0::/48',
  ])
  expect(shared('2001:db8:1:2::1', '2001:db8:2:2::1')).toEqual([])
})

test('a wider network has a larger limit, below the sum of its networks', () => {
  expect(networkLimits('203.0.113.7', 60)).toEqual([{ network: '203.0.113.7', limit: 60 }])
  expect(networkLimits('2001:db8:1:2::1', 60)).toEqual([
    { network: '2001:db8:1:2::/64', limit: 60 },
    { network: '2001:db8:1:0::/56', limit: 120 },
    { network: '2001:db8:1:0::/48', limit: 240 },
  ])
})

test('loopback addresses are not limited', () => {
  expect(['127.0.0.1', '::ffff:127.0.0.1', '::1', undefined].map(limitedAddress)).toEqual(
    Array(4).fill(undefined),
  )
  expect(limitedAddress('203.0.113.7')).toBe('203.0.113.7')
})
