import { expect, test } from 'vitest'
import { NameServer } from '#testing/push/nameServer.ts'
import { isAllowedEndpoint, isPublicAddress, lookupPublic } from './publicHost.ts'

test.each([
  ['8.8.8.8', true],
  ['2a00:1450:4001:80e::200a', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', true],
  ['https://web.push.apple.com/abc', true],
  ['http://fcm.googleapis.com/fcm/send/abc', false],
  ['https://fcm.googleapis.com:8443/x', false],
  ['https://user:password@push.example.com/x', false],
  ['https://localhost/x', false],
  ['https://intranet/x', false],
  ['https://10.0.0.1/x', false],
  ['https://0x7f000001/x', false],
  ['https://2130706433/x', false],
  ['https://[::1]/x', false],
  ['ftp://push.example.com/x', false],
  ['nonsense', false],
])('a subscription at %s is allowed: %s', (endpoint, expected) => {
  expect(isAllowedEndpoint(endpoint, false)).toBe(expected)
})

test('a server on its own machine also sends to that machine', () => {
  expect(isAllowedEndpoint('http://127.0.0.1:4000/push/x', true)).toBe(true)
  expect(isAllowedEndpoint('http://192.168.1.4:4000/push/x', true)).toBe(false)
})

function lookedUp(server: NameServer, name: string) {
  return new Promise(resolve => {
    lookupPublic(server.resolver(100))(name, { all: true }, (error, addresses) =>
      resolve(error?.message ?? addresses),
    )
  })
}

test('a name is connected to only if all its IP addresses are public', async () => {
  const addresses = new Map([
    ['push.example.com', '8.8.8.8'],
    ['inside.example.com', '127.0.0.1'],
  ])
  await using server = await NameServer.start(name => addresses.get(name))
  expect(await lookedUp(server, 'push.example.com')).toEqual([{ address: '8.8.8.8', family: 4 }])
  const refused = 'The host has no public address'
  expect(await lookedUp(server, 'inside.example.com')).toBe(refused)
  expect(await lookedUp(server, 'silent.example.com')).toContain('ETIMEOUT')
})
