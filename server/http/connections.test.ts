import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { defaultMaxConnections } from './maxConnections.ts'
import { createHttp, limitConnectionsPerNetwork } from './server.ts'
import { allowSlowResponse } from './slowResponse.ts'

interface Settings {
  idleTimeoutMs?: number
  maxConnections?: number
  trustProxy?: string[]
}

async function serverWith(settings: Settings, address = '127.0.0.1') {
  const http = await createHttp({
    log: createLog('silent'),
    trustProxy: [],
    publicUrl: () => 'http://localhost',
    ...settings,
  })
  const url = new URL(await http.listen({ host: address, port: 0 }))
  return {
    open: () =>
      connect(Number(url.port), url.hostname)
        .on('error', () => {})
        .resume(),
    [Symbol.asyncDispose]: () => http.close(),
  }
}

const closed = (socket: Socket) => new Promise(resolve => socket.once('close', () => resolve(true)))

test('an idle connection is closed', async () => {
  await using server = await serverWith({ idleTimeoutMs: 100 })
  expect(await closed(server.open())).toBe(true)
})

test('a response may be allowed to take longer than the idle timeout', async () => {
  const http = await createHttp({
    log: createLog('silent'),
    trustProxy: [],
    publicUrl: () => 'http://localhost',
    idleTimeoutMs: 100,
  })
  http.server.on('timeout', (socket: Socket) => socket.destroy())
  const timedOut = once(http.server, 'timeout')
  const received = once(http.server, 'request')
  http.get('/slow', async (_request, reply) => {
    allowSlowResponse(reply, 60_000)
    await timedOut
    return 'done'
  })
  const { port } = new URL(await http.listen({ host: '127.0.0.1', port: 0 }))
  const slow = connect(Number(port), '127.0.0.1')
  slow.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await received
  // Opened later, so it times out later than the other one would.
  connect(Number(port), '127.0.0.1').resume()
  const answer = once(slow, 'data').then(([data]) => String(data))
  expect(await Promise.race([answer, closed(slow)])).toContain('HTTP/1.1 200')
  slow.destroy()
  await http.close()
})

test('connections beyond the limit are closed until one is free', async () => {
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

/** Opens connections one after the other and returns whether each stayed open. */
async function openAll(open: () => Socket, count: number) {
  const stayed = []
  for (let n = 0; n < count; n++) stayed.push(await staysOpen(open()))
  return stayed
}

/** Returns true if the server responds on this connection instead of closing it. */
async function staysOpen(socket: Socket): Promise<boolean> {
  await once(socket, 'connect')
  socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return Promise.race([closed(socket).then(() => false), once(socket, 'data').then(() => true)])
}

// Only Linux and Windows accept connections at every address of 127.0.0.0/8.
const hasManyAddresses = process.platform !== 'darwin'

test.runIf(hasManyAddresses)('one address may hold a fifth of all connections', async () => {
  const server = createServer(socket =>
    socket.on('error', () => {}).on('data', () => socket.write('.')),
  )
  limitConnectionsPerNetwork(server, {
    maxConnections: 10,
    isExempt: address => address === '127.0.0.4',
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const opened: Socket[] = []
  const from = (localAddress: string) => () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    opened.push(socket)
    return socket
  }
  expect(await openAll(from('127.0.0.2'), 4)).toEqual([true, true, false, false])
  expect(await openAll(from('127.0.0.3'), 2)).toEqual([true, true])
  expect(await openAll(from('127.0.0.4'), 4)).toEqual([true, true, true, true])
  opened[0]?.destroy()
  await expect.poll(() => staysOpen(from('127.0.0.2')())).toBe(true)
  for (const socket of opened) socket.destroy()
  server.close()
})

test('all addresses of an IPv6 /48 may hold a fifth of all connections together', () => {
  const server = new EventEmitter() as Server
  limitConnectionsPerNetwork(server, { maxConnections: 10, isExempt: () => false })
  const staysOpenFrom = (remoteAddress: string) => {
    let stays = true
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroy: () => {
        stays = false
      },
    })
    server.emit('connection', socket)
    return stays
  }
  const networks = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:1::1']
  expect(networks.map(staysOpenFrom)).toEqual([true, true, false, true])
})

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find(each => each?.family === 'IPv4' && !each.internal)?.address

test.skipIf(ownAddress === undefined)('the share of an address is part of the server', async () => {
  const address = ownAddress ?? ''
  await using server = await serverWith({ maxConnections: 10 }, address)
  expect(await openAll(server.open, 3)).toEqual([true, true, false])
  await using behindProxy = await serverWith({ maxConnections: 10, trustProxy: [address] }, address)
  expect(await openAll(behindProxy.open, 3)).toEqual([true, true, true])
  await using local = await serverWith({ maxConnections: 10 })
  expect(await openAll(local.open, 3)).toEqual([true, true, true])
})

test('the default limit reserves some of the open files', () => {
  expect(defaultMaxConnections() ?? 900).toBeGreaterThan(0)
})
