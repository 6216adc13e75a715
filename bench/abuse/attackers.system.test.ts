import { expect, test } from 'vitest'
import { attackBy } from './attackers.ts'

const who = { url: 'http://127.0.0.1:1', token: '', session: '', team: '', from: '203.0.113.7' }

test('an attack counts what it sent until it is stopped', async () => {
  const running = await attackBy(who, { do: 'uploads', count: 3 })
  expect(await running.stop()).toMatchObject({ sent: 3 })
})

test('an attack whose process ends by itself is an error', async () => {
  const flood = { do: 'subscribe', connections: 1, perSecond: 1 } as const
  await expect(attackBy({ ...who, url: 'nowhere' }, flood)).rejects.toThrow(
    "The attacker's process ended by itself",
  )
})
