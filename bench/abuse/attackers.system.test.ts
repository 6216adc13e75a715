import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { attackBy } from './attackers.ts'

const url = 'http://127.0.0.1:1'
const who = { url, token: '', session: '', team: '', race: '', from: '203.0.113.7' }

test('an attack counts what it sent, and errors of the server, until it is stopped', async () => {
  const server = createServer((_, response) => response.writeHead(500).end())
  let requests = 0
  // The attacker has 50 connections: it has read an answer before its 51st request.
  const served = new Promise<void>(resolve => {
    server.on('request', () => ++requests === 51 && resolve())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const reads = { do: 'reads', perSecond: 1000, paths: ['files.list'] } as const
  const running = await attackBy({ ...who, url: `http://127.0.0.1:${port}` }, reads)
  await served
  const tally = await running.stop()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  expect(tally.sent).toBeGreaterThanOrEqual(51)
  expect(tally.failed).toBeGreaterThanOrEqual(1)
})

test('an attack whose process ends by itself is an error', async () => {
  const flood = { do: 'subscribe', connections: 1, perSecond: 1 } as const
  await expect(attackBy({ ...who, url: 'nowhere' }, flood)).rejects.toThrow(
    "The attacker's process ended by itself",
  )
})
