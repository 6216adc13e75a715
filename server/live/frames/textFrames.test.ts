import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { maxUpBytes } from '#contract/shared/liveRules.ts'
import { readTextFrames } from './textFrames.ts'

const Opcode = { continuation: 0, text: 1, close: 8, ping: 9 } as const

const server = createServer()
const sockets = new WebSocketServer({
  noServer: true,
  maxPayload: maxUpBytes,
  perMessageDeflate: false,
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

async function nextUpgrade() {
  return (await once(server, 'upgrade')) as [IncomingMessage, Socket, Buffer]
}

/** A stream whose handle is not used. */
class OtherStream extends Socket {}

/**
 * Opens a WebSocket, and sends bytes to it in chunks: directly through its socket, or as events of a stream. Returns the
 * texts that the server receives.
 */
async function open(
  { isDirect }: { isDirect: boolean },
  onText: (text: string, webSocket: WebSocket) => void = () => {},
) {
  const received: string[] = []
  const { port } = server.address() as AddressInfo
  const rawClient = connect(port, '127.0.0.1')
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { createConnection: () => rawClient })
  const [request, stream, head] = await nextUpgrade()
  const webSocket = await new Promise<WebSocket>(resolve =>
    sockets.handleUpgrade(request, stream, head, resolve),
  )
  await once(client, 'open')
  webSocket.on('error', () => {})
  webSocket.on('message', (data: Buffer) => received.push(data.toString()))
  if (!isDirect) Object.setPrototypeOf(stream, OtherStream.prototype)
  readTextFrames(stream, {
    onMessage(text) {
      received.push(text)
      onText(text, webSocket)
    },
  })
  // `once` would reject at a protocol error.
  const closed = new Promise<number>(resolve => webSocket.once('close', resolve))
  /** Resolves once the server has read the chunk, or has closed the connection. */
  async function send(chunk: Buffer) {
    if (!isDirect) return void stream.emit('data', chunk)
    const end = stream.bytesRead + chunk.length
    rawClient.write(chunk)
    while (stream.bytesRead < end && !stream.destroyed) await nextTurn()
  }
  return { stream, client, received, closed, webSocket, send }
}

/** On other versions of Node all frames are read from the stream. Add a new version to `testedVersions` too. */
const readsDirectly = [20, 22, 24].includes(Number.parseInt(process.versions.node, 10))

const both = [
  ['from a socket', { isDirect: true }],
  ['from another stream', { isDirect: false }],
] as const

/** The frames of one message: a whole one, or one in fragments with a ping in between. */
function framesOf({ text, isSplit }: { text: string; isSplit: boolean }): Buffer[] {
  const bytes = Buffer.from(text)
  if (!isSplit) return [frame(Opcode.text, bytes)]
  const half = Math.floor(bytes.length / 2)
  return [
    frame(Opcode.text, bytes.subarray(0, half), { fin: false }),
    frame(Opcode.ping, Buffer.from('?')),
    frame(Opcode.continuation, bytes.subarray(half)),
  ]
}

function frame(opcode: number, payload: Buffer, { fin = true, isMasked = true } = {}): Buffer {
  const isLong = payload.length > 125
  const header = Buffer.alloc(isLong ? 4 : 2)
  header[0] = (fin ? 0x80 : 0) | opcode
  header[1] = (isMasked ? 0x80 : 0) | (isLong ? 126 : payload.length)
  if (isLong) header.writeUInt16BE(payload.length, 2)
  if (!isMasked) return Buffer.concat([header, payload])
  const mask = Buffer.from([1, 200, 30, 99])
  return Buffer.concat([header, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}

/** Splits bytes into chunks at these places. */
function chunksOf(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map(place => place % bytes.length))].sort((a, b) => a - b)
  return [...cuts, bytes.length].map((end, n) => Buffer.from(bytes.subarray(cuts[n - 1] ?? 0, end)))
}

const message = fc.record({
  text: fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ minLength: maxUpBytes, maxLength: maxUpBytes }),
  ),
  isSplit: fc.boolean(),
})

test.each(both)('frames %s are received in order, however they are split (L4)', async (_, how) => {
  const messages = fc.array(message, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(messages, fc.array(fc.nat(), { maxLength: 6 }), async (sent, places) => {
      const { client, received, send } = await open(how)
      const bytes = Buffer.concat(sent.flatMap(framesOf))
      for (const chunk of chunksOf(bytes, places)) await send(chunk)
      expect(received).toEqual(sent.map(({ text }) => text))
      client.terminate()
    }),
    { numRuns: 60 },
  )
})

test('short texts bypass the stream until the first other frame (L4)', async () => {
  const { client, received, send, stream } = await open({ isDirect: true })
  const chunks: number[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.length))
  const texts = Buffer.concat([text('a'), text('b')])
  await send(texts)
  const rest = Buffer.concat([frame(Opcode.ping, Buffer.from('?')), text('c')])
  await send(Buffer.concat([text('b'), rest]))
  await send(text('d'))
  const [first, next, last] = [texts, text('b'), text('d')].map(({ length }) => length)
  expect(chunks).toEqual(
    readsDirectly ? [rest.length, last] : [first, (next ?? 0) + rest.length, last],
  )
  expect(received).toEqual(['a', 'b', 'b', 'c', 'd'])
  client.terminate()
})

test('frames of several sockets are not mixed, even if one is incomplete (L4)', async () => {
  const [first, second] = [await open({ isDirect: true }), await open({ isDirect: true })]
  for (const content of ['short', 'ä', 'x'.repeat(3000), 'last']) {
    const [mine, other] = [text(content), text(content.toUpperCase())]
    await first.send(mine.subarray(0, 5))
    await second.send(other.subarray(0, 3))
    await first.send(mine.subarray(5))
    await second.send(other.subarray(3))
  }
  const all = ['short', 'ä', 'x'.repeat(3000), 'last']
  expect(first.received).toEqual(all)
  expect(second.received).toEqual(all.map(each => each.toUpperCase()))
  for (const { client } of [first, second]) client.terminate()
})

test('a paused WebSocket loses nothing that its socket receives (L4)', async () => {
  const { client, received, webSocket, send } = await open({ isDirect: true })
  const sent = Array.from({ length: 200 }, (_, n) => `${n}`.padEnd(maxUpBytes, '.'))
  // A ping, so that `ws` reads the rest.
  await send(frame(Opcode.ping, Buffer.from('?')))
  webSocket.pause()
  const sending = send(Buffer.concat(sent.map(text)))
  await nextTurn()
  expect(received.length).toBeLessThan(sent.length)
  webSocket.resume()
  await sending
  await send(text('last'))
  expect(received).toEqual([...sent, 'last'])
  client.terminate()
})

test('after a frame that ends the connection, the rest of the bytes is discarded (L4)', async () => {
  const end = (text: string, webSocket: WebSocket) => void (text === 'b' && webSocket.terminate())
  const { received, closed, send } = await open({ isDirect: true }, end)
  await send(Buffer.concat([text('a'), text('b'), frame(Opcode.ping, Buffer.from('?'))]))
  expect(await closed).toBe(1006)
  expect(received).toEqual(['a', 'b'])
})

test('frames that arrive together with the request are received (L4)', async () => {
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  const request = [
    'GET / HTTP/1.1',
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
    'Sec-WebSocket-Version: 13',
  ]
  const cut = text('b').subarray(0, 5)
  client.write(Buffer.concat([Buffer.from(`${request.join('\r\n')}\r\n\r\n`), text('a'), cut]))
  const received: string[] = []
  const [upgrade, stream, head] = await nextUpgrade()
  expect(head).toHaveLength(text('a').length + cut.length)
  const arrived = new Promise<void>(resolve => {
    const receive = (each: string) => {
      if (received.push(each) === 2) resolve()
    }
    sockets.handleUpgrade(upgrade, stream, head, webSocket => {
      webSocket.on('message', (data: Buffer) => receive(data.toString()))
      readTextFrames(stream, { onMessage: receive })
    })
  })
  client.write(text('b').subarray(5))
  await arrived
  expect(received).toEqual(['a', 'b'])
  client.destroy()
})

test.each(both)(
  'a close frame %s closes with its code, and is the last one (L4)',
  async (_, how) => {
    const { client, received, closed, webSocket, send } = await open(how)
    const close = frame(Opcode.close, Buffer.from([0x0f, 0xa0]))
    await send(Buffer.concat([text('a'), text('b'), close]))
    expect(webSocket.readyState).toBe(WebSocket.CLOSING)
    await send(text('c'))
    client.close()
    expect(await closed).toBe(4000)
    expect(received).toEqual(['a', 'b'])
  },
)

const invalid = [
  ['without a mask', frame(Opcode.text, Buffer.from('a'), { isMasked: false }), 1002],
  ['of invalid UTF-8', frame(Opcode.text, Buffer.from([0xff])), 1007],
  ['that is too long', frame(Opcode.text, Buffer.alloc(maxUpBytes + 1, 'a')), 1009],
] as const

test.each(
  both.flatMap(([from, how]) =>
    invalid.map(([what, bytes, code]) => ({ from, how, what, bytes, code })),
  ),
)('a frame $what $from closes the connection (L4)', async ({ how, bytes, code }) => {
  const { client, received, send } = await open(how)
  const closed = once(client, 'close')
  await send(Buffer.concat([text('a'), bytes]))
  expect((await closed)[0]).toBe(code)
  expect(received).toEqual(['a'])
})

function text(content: string): Buffer {
  return frame(Opcode.text, Buffer.from(content))
}
