import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { encodeJson, type Frame } from '../rooms/frame.ts'
import { SocketWriter } from './socketWriter.ts'

/** On other versions of Node all frames are written to the stream. Add a new version to `testedVersions` too. */
const writesDirectly = [20, 22, 24].includes(Number.parseInt(process.versions.node, 10))

const frameBytes = 10_000
/** Bytes queued in the stream after `fill`: none if the handle queues the frame. */
const streamBytes = writesDirectly ? 0 : frameBytes

const server = createServer()
/** Its sockets read nothing, so that they only notice a broken connection when they write. */
const unreadServer = createServer({ pauseOnConnect: true })

beforeAll(async () => {
  for (const each of [server, unreadServer]) {
    each.listen(0, '127.0.0.1')
    await once(each, 'listening')
  }
})
afterAll(() => {
  server.close()
  unreadServer.close()
})

/** Opens a connection. The client reads nothing until `received`. */
async function open(listener = server) {
  const { port } = listener.address() as AddressInfo
  const client = connect(port, '127.0.0.1').pause()
  const [socket]: Socket[] = await once(listener, 'connection')
  if (!socket) throw new Error('no connection')
  socket.on('error', () => {})
  client.on('error', () => {})
  return { client, socket, writer: new SocketWriter(socket) }
}

/** More than the buffers of two sockets can hold. */
const tooManyBytes = 100_000_000

/** Writes frames until the kernel's buffers are full. Returns them: the last one is queued. */
function fill(
  writer: SocketWriter,
  newFrame: (n: number) => Frame = n => Buffer.alloc(frameBytes, n),
): Frame[] {
  const frames: Frame[] = []
  for (let bytes = 0; writer.backlogBytes === 0; ) {
    if (bytes > tooManyBytes) throw new Error('The kernel accepts everything')
    const frame = newFrame(frames.length)
    writer.write(frame)
    bytes += frame.length
    frames.push(frame)
  }
  return frames
}

/** Reads until the end of the stream. */
async function received(client: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  client.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
  await once(client, 'end')
  return Buffer.concat(chunks)
}

test('a frame that the kernel does not accept is queued, and later ones follow it', async () => {
  const { client, socket, writer } = await open()
  const frames = fill(writer)
  expect(socket.writableLength).toBe(streamBytes)
  expect(writer.backlogBytes).toBe(frameBytes)
  for (const content of ['é', 'next', 'last']) {
    const frame = Buffer.from(content)
    writer.write(frame)
    frames.push(frame)
  }
  expect(writer.backlogBytes).toBe(frameBytes + Buffer.concat(frames.slice(-3)).length)

  const all = received(client)
  socket.end()
  expect((await all).equals(Buffer.concat(frames))).toBe(true)
  expect(writer.backlogBytes).toBe(0)
})

test('frames are written directly again after a slow client has caught up', async () => {
  const { client, socket, writer } = await open()
  const frames = fill(writer)
  let bytes = 0
  const expected = Buffer.concat(frames).length
  const caughtUp = new Promise<void>(resolve => {
    client.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes === expected) resolve()
    })
  })
  client.resume()
  await caughtUp
  // The handle reports the end of its write in the next turn of the event loop at the latest.
  await new Promise(resolve => setImmediate(resolve))
  client.pause()
  fill(writer)
  expect(socket.writableLength).toBe(streamBytes)
  expect(writer.backlogBytes).toBe(frameBytes)
  const closed = new Promise(resolve => socket.once('close', resolve))
  client.destroy()
  await closed
})

const step = fc.oneof(
  fc.record({
    bytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(16_384, 100_000)),
  }),
  fc.constantFrom('hold', 'release', 'pause', 'resume', 'wait' as const),
)

test('frames arrive complete and in order, held or not, at a client that pauses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async steps => {
      const { client, socket, writer } = await open()
      const sent: Buffer[] = []
      const all = received(client)
      client.pause()
      for (const each of steps) {
        if (typeof each === 'object') {
          const frame = Buffer.alloc(each.bytes, sent.length + 100)
          sent.push(frame)
          writer.write(frame)
        } else if (each === 'hold') writer.hold()
        else if (each === 'release') writer.release()
        else if (each === 'wait') await new Promise(resolve => setImmediate(resolve))
        else client[each]()
      }
      client.resume()
      socket.end()
      expect((await all).equals(Buffer.concat(sent))).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('frames written by ws stay whole and in order between direct frames', async () => {
  const http = createHttpServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const [request, socket, head] = await once(http, 'upgrade')
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const webSocket = await new Promise<WebSocket>(resolve =>
    sockets.handleUpgrade(request, socket, head, resolve),
  )
  await once(client, 'open')
  const arrived: string[] = []
  client.on('message', (data: Buffer) => arrived.push(data.toString()))
  client.on('ping', data => arrived.push(`ping ${data.toString()}`))
  client.on('pong', data => arrived.push(`pong ${data.toString()}`))
  client.pause()

  const writer = new SocketWriter(socket)
  const long = JSON.stringify('é'.repeat(5000))
  const count = fill(writer, () => encodeJson(long)).length
  webSocket.ping('first')
  writer.write(encodeJson('"next"'))
  webSocket.pong('second')
  writer.write(encodeJson('"last"'))
  webSocket.close(4001)
  // `ws` turns the timeout off: it would end a connection that only receives direct frames.
  expect(socket.timeout).toBe(0)
  client.resume()

  expect((await once(client, 'close'))[0]).toBe(4001)
  const next = ['ping first', '"next"', 'pong second', '"last"']
  expect(arrived).toEqual([...Array<string>(count).fill(long), ...next])
  http.close()
})

test('held frames are not written until they are released', async () => {
  const { client, socket, writer } = await open()
  writer.hold()
  writer.write(Buffer.from('a'))
  writer.write(Buffer.from('b'))
  expect(writer.backlogBytes).toBe(2)
  expect(socket.bytesWritten).toBe(2)
  writer.release()
  expect(writer.backlogBytes).toBe(0)
  writer.write(Buffer.from('c'))
  expect(socket.bytesWritten).toBe(3)
  socket.end()
  expect((await received(client)).toString()).toBe('abc')
})

test('the first frame follows what the stream had queued before', async () => {
  const { client, socket } = await open()
  const queued = Buffer.alloc(20_000_000, 1)
  socket.write(queued)
  socket.write('upgrade')
  const writer = new SocketWriter(socket)
  writer.write(Buffer.from('first'))
  const all = received(client)
  socket.end()
  expect((await all).subarray(queued.length).toString()).toBe('upgradefirst')
})

test('two connections that have queued a frame at once catch up independently', async () => {
  const [first, second] = [await open(), await open()]
  const sent = [first, second].map(({ writer }) => Buffer.concat(fill(writer)))
  const all = received(first.client)
  first.socket.end()
  expect((await all).equals(sent[0] ?? Buffer.alloc(0))).toBe(true)
  expect([first.writer.backlogBytes, second.writer.backlogBytes]).toEqual([0, frameBytes])
  const others = received(second.client)
  second.socket.end()
  expect((await others).equals(sent[1] ?? Buffer.alloc(0))).toBe(true)
  expect(second.writer.backlogBytes).toBe(0)
})

test('a short frame follows long ones that the stream has queued', async () => {
  const { client, socket, writer } = await open()
  const frames = [1, 2, 3].map(n => Buffer.alloc(8_000_000, n))
  for (const frame of frames) writer.write(frame)
  writer.write(Buffer.from('last'))
  const all = received(client)
  socket.end()
  expect((await all).equals(Buffer.concat([...frames, Buffer.from('last')]))).toBe(true)
})

test('a queued frame that cannot be sent closes the stream', async () => {
  const { client, socket, writer } = await open(unreadServer)
  fill(writer)
  const closed = new Promise(resolve => socket.once('close', resolve))
  client.resetAndDestroy()
  await closed
  expect(writer.backlogBytes).toBe(0)
})

test('a connection that breaks while a frame is queued closes the stream', async () => {
  const { client, socket, writer } = await open()
  fill(writer)
  // `once` would reject at the error.
  const closed = new Promise(resolve => socket.once('close', resolve))
  client.resetAndDestroy()
  await closed
  expect(socket.destroyed).toBe(true)
  writer.write(Buffer.from('late'))
})

test('a stream destroyed while a frame is queued discards it', async () => {
  const { client, socket, writer } = await open()
  fill(writer)
  writer.write(Buffer.from('more'))
  const closed = once(socket, 'close')
  socket.destroy()
  writer.write(Buffer.from('late'))
  await closed
  expect(writer.backlogBytes).toBe(0)
  client.destroy()
})

test('the error of a failed write is reported by the stream', async () => {
  const { client, socket, writer } = await open()
  const ended = new Promise(resolve => socket.once('error', resolve))
  // Otherwise a read would detect the reset before the write.
  socket.pause()
  client.resetAndDestroy()
  await once(client, 'close')
  writer.write(Buffer.from('a'))
  expect(await ended).toMatchObject({ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) })
})

test('a frame written after the stream was destroyed is discarded', async () => {
  const { client, socket, writer } = await open()
  const all = received(client)
  writer.write(Buffer.from('a'))
  const closed = once(socket, 'close')
  socket.destroy()
  writer.write(Buffer.from('late'))
  await closed
  writer.write(Buffer.from('later'))
  expect((await all).toString()).toBe('a')
})

test('frames for TLS are written to its stream, which encrypts them', async () => {
  const { client, socket } = await open()
  const stream = new TLSSocket(socket, { isServer: true })
  const writer = new SocketWriter(stream)
  writer.write(Buffer.from('secret'))
  expect(stream.writableLength).toBe(6)
  expect(writer.backlogBytes).toBe(6)
  expect(socket.bytesWritten).toBe(0)
  stream.on('error', () => {}).destroy()
  client.destroy()
})

test('frames for a stream that is not a socket are written to the stream', async () => {
  const stream = new PassThrough()
  const writer = new SocketWriter(stream)
  writer.write(Buffer.from('a'))
  writer.write(Buffer.from('é'))
  expect(writer.backlogBytes).toBe(stream.writableLength)
  stream.end()
  expect(await text(stream)).toBe('aé')
})
