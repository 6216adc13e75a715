import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { command, read } from '#contract/endpoint.ts'
import { serverSockets } from '#testing/serverSockets.ts'
import { createLog } from '../log.ts'
import { mount } from './route.ts'
import { createHttp } from './server.ts'

const empty = z.object({})
const endpoints = {
  get: read({ auth: 'anyone', summary: 'Reads.', input: empty, output: empty }),
  set: command({ auth: 'anyone', summary: 'Changes.', input: empty, output: empty }),
}

/** A server that authenticates each request only when `admit` is called, as if its database were busy. */
async function busyServer() {
  const http = await createHttp({
    log: createLog('silent'),
    trustProxy: [],
    publicUrl: () => 'http://localhost',
  })
  const ran: string[] = []
  const waiting: (() => void)[] = []
  const handler = (name: string) => async () => {
    ran.push(name)
    return {}
  }
  mount(
    http,
    'things',
    endpoints,
    { get: handler('get'), set: handler('set') },
    {
      authenticate: () =>
        new Promise(resolve => {
          waiting.push(() => resolve(null))
          arrived.dispatchEvent(new Event('request'))
        }),
    },
  )
  const arrived = new EventTarget()
  await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as AddressInfo
  return {
    ran,
    close: () => http.close(),
    admit: () => waiting.shift()?.(),
    /** Sends a request, and resolves when it waits for its authentication. */
    async send(method: string, path: string) {
      const sent = request({ port, method, path, headers: { 'content-type': 'application/json' } })
      const isWaiting = new Promise(resolve =>
        arrived.addEventListener('request', resolve, { once: true }),
      )
      sent.on('error', () => undefined)
      sent.end(method === 'POST' ? '{}' : undefined)
      await isWaiting
      return sent
    },
  }
}

let server: Awaited<ReturnType<typeof busyServer>>
let sockets: ReturnType<typeof serverSockets>
beforeEach(async () => {
  sockets = serverSockets()
  server = await busyServer()
})
afterEach(async () => {
  await server.close()
  sockets[Symbol.dispose]()
})

/** Sends a request, closes its connection while it waits, and lets it go on. */
async function abandon(method: string, path: string) {
  const sent = await server.send(method, path)
  if (!sent.socket) throw new Error('The request has no connection.')
  const socket = await sockets.of(sent.socket)
  sent.destroy()
  await once(socket, 'close')
  server.admit()
}

/** Sends a read that is answered: whatever waited before it has run or was dropped. */
async function readAfterwards() {
  const sent = await server.send('GET', '/api/things.get')
  server.admit()
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
}

test.each([
  ['read', 'GET', '/api/things.get'],
  ['command', 'POST', '/api/things.set'],
])('a waiting %s whose client has gone does not run', async (_kind, method, path) => {
  await abandon(method, path)
  await readAfterwards()
  expect(server.ran).toEqual(['get'])
})

test('a waiting command whose client is there runs', async () => {
  const sent = await server.send('POST', '/api/things.set')
  server.admit()
  await once(sent, 'response')
  expect(server.ran).toEqual(['set'])
})
