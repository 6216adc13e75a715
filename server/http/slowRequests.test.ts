import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { minUploadBytesPerSecond } from '#contract/shared/recordingRules.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { serverSockets } from '#testing/serverSockets.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'
import { allowSlowRequest, requestTimeoutMs } from './slowRequests.ts'

/** The minimum of bytes in each window. */
const enough = (minUploadBytesPerSecond * requestTimeoutMs) / 1000

async function slowServer({ hasRoom = true } = {}) {
  const clock = heldClock()
  const sockets = serverSockets()
  const http = await createHttp({
    log: createLog('silent'),
    trustProxy: [],
    publicUrl: () => 'http://localhost',
    clock,
  })
  const bodyLimit = 10 * enough
  http.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    (_request, body, parsed) => parsed(null, body),
  )
  http.post('/read', { bodyLimit }, () => 'received')
  http.post('/refused', {
    onRequest: (_request, reply) => void reply.code(403).send('refused'),
    handler: () => '',
  })
  const late: unknown[] = []
  http.post('/upload', {
    bodyLimit,
    onRequest: (request, _reply, done) => {
      const signal = allowSlowRequest(request.raw, () => {
        if (!hasRoom) throw new Error('no room')
      })
      signal.addEventListener('abort', () => {
        late.push(signal.reason)
        request.raw.destroy()
      })
      done()
    },
    handler: () => 'received',
  })
  http.post('/upload-refused', {
    bodyLimit,
    onRequest: (request, reply) => {
      const signal = allowSlowRequest(request.raw, () => {})
      signal.addEventListener('abort', () => late.push(signal.reason))
      void reply.code(403).send('refused')
    },
    handler: () => '',
  })
  const { port } = new URL(await http.listen({ host: '127.0.0.1', port: 0 }))
  return {
    late,
    /** Begins a request whose body has this length. */
    async begin(path: string, length: number) {
      const client = connect(Number(port), '127.0.0.1').on('error', () => {})
      const accepted = await sockets.of(client)
      const received = text(client)
      let sent = 0
      const send = async (part: string | Buffer) => {
        client.write(part)
        sent += part.length
        await expect.poll(() => accepted.bytesRead).toBe(sent)
      }
      await send(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\n` +
          `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`,
      )
      return {
        received,
        /** Sends a part of the body, then lets a window end. */
        async sendWindow(bytes: number) {
          await send(Buffer.alloc(bytes))
          clock.pass(requestTimeoutMs)
        },
        finish: (bytes: number) => client.end(Buffer.alloc(bytes)),
      }
    },
    async [Symbol.asyncDispose]() {
      sockets[Symbol.dispose]()
      await http.close()
    },
  }
}

test.each([
  { path: '/read', status: 408 },
  { path: '/nowhere', status: 408 },
  // No route reads its body.
  { path: '/refused', status: 403 },
])('the connection of a slow request to $path is closed', async ({ path, status }) => {
  await using server = await slowServer()
  const slow = await server.begin(path, 2)
  await slow.sendWindow(1)
  expect(await slow.received).toContain(`HTTP/1.1 ${status} `)
})

test('a request that arrives fast enough in each window may take minutes', async () => {
  await using server = await slowServer()
  const upload = await server.begin('/upload', 6 * enough + 1)
  for (let window = 0; window < 6; window++) await upload.sendWindow(enough)
  upload.finish(1)
  expect(await upload.received).toContain('received')
  expect(server.late).toEqual([])
})

test('a request to any other route is closed, even at this rate', async () => {
  await using server = await slowServer()
  const request = await server.begin('/read', 2 * enough)
  await request.sendWindow(enough)
  expect(await request.received).toContain('HTTP/1.1 408 ')
})

test.each([
  { name: 'sends nothing', windows: [0] },
  { name: 'sends a little in each window', windows: [1000] },
  { name: 'stops', windows: [3 * enough, 0] },
  { name: 'becomes slower than the minimum', windows: [enough, enough, enough - 1000] },
])('an upload that $name is late', async ({ windows }) => {
  await using server = await slowServer()
  const upload = await server.begin('/upload', 8 * enough)
  for (const bytes of windows) {
    expect(server.late).toEqual([])
    await upload.sendWindow(bytes)
  }
  expect(server.late).toMatchObject([{ code: 'too-slow' }])
})

test('an upload that needs a second window is refused if all slots are taken', async () => {
  await using server = await slowServer({ hasRoom: false })
  const upload = await server.begin('/upload', 8 * enough)
  await upload.sendWindow(enough)
  expect(server.late).toMatchObject([{ message: 'no room' }])
})

test.each([1, enough])(
  'an upload refused before it arrived is closed after %d bytes',
  async bytes => {
    await using server = await slowServer()
    const upload = await server.begin('/upload-refused', 2 * enough)
    await upload.sendWindow(bytes)
    expect(await upload.received).toContain('HTTP/1.1 403 ')
    expect(server.late).toEqual([])
  },
)
