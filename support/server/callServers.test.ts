import { expect, test } from 'vitest'
import { callServers } from './routes.ts'

const iceServers = [
  { urls: 'stun:stun.example.com' },
  { urls: ['stun:turn.example.com', 'turns:turn.example.com'], username: 'u', credential: 'c' },
]
const userId = '11111111-2222-4333-8444-555555555555'
const now = 1_700_000_000_000

test('without a shared secret the configured credentials are returned', () => {
  expect(callServers({ iceServers }, { userId, now })).toEqual(iceServers)
})

test('with a shared secret TURN servers get credentials for ten minutes', () => {
  const [stun, turn] = callServers({ iceServers, turnSecret: 'north' }, { userId, now })
  expect(stun).toEqual(iceServers[0])
  // Computed by hand: printf '1700000600:<id>' | openssl dgst -sha1 -hmac north -binary | base64
  expect(turn).toEqual({
    urls: ['stun:turn.example.com', 'turns:turn.example.com'],
    username: `1700000600:${userId}`,
    credential: '1jo1zYgIKgTD3bCwr12ph1VDd9A=',
  })
})
