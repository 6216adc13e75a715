import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { defaultMaxConnections } from './maxConnections.ts'
import { createHttp } from './server.ts'

async function serverWith(settings: { silentAfterMs?: number; maxConnections?: number }) {
  const http = await createHttp({
    log: createLog('silent'),
    trustProxy: [],
    publicUrl: () => 'http://localhost',
    ...settings,
  })
  const url = new URL(await http.listen({ host: '127.0.0.1', port: 0 }))
  return {
    open: () =>
      connect(Number(url.port), url.hostname)
        .on('error', () => {})
        .resume(),
    [Symbol.asyncDispose]: () => http.close(),
  }
}

const closed = (socket: Socket) => new Promise(resolve => socket.once('close', () => resolve(true)))

test('a connection on which nothing moves is closed', async () => {
  await using server = await serverWith({ silentAfterMs: 100 })
  expect(await closed(server.open())).toBe(true)
})

test('connections beyond the most are closed, and others come when one has gone', async () => {
  await using server = await serverWith({ maxConnections: 1 })
  const first = server.open()
  await once(first, 'connect')
  expect(await closed(server.open())).toBe(true)
  expect(first.closed).toBe(false)
  first.destroy()
  await expect
    .poll(async () => {
      const next = server.open()
      next.write('GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n')
      return Promise.race([
        closed(next).then(() => 'closed'),
        once(next, 'data').then(() => 'open'),
      ])
    })
    .toBe('open')
})

test('by default some of the files a process may open are spared', () => {
  expect(defaultMaxConnections() ?? 900).toBeGreaterThan(0)
})
