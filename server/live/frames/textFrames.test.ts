import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
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

/** Opens a WebSocket. Returns its stream on the server, and the texts that the server receives. */
async function open() {
  const received: string[] = []
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [request, stream, head] = await once(server, 'upgrade')
  const webSocket = await new Promise<WebSocket>(resolve =>
    sockets.handleUpgrade(request, stream as Duplex, head, resolve),
  )
  await once(client, 'open')
  webSocket.on('error', () => {})
  webSocket.on('message', (data: Buffer) => received.push(data.toString()))
  readTextFrames(stream as Duplex, text => received.push(text))
  // `once` would reject at a protocol error.
  const closed = new Promise<number>(resolve => webSocket.once('close', resolve))
  return { stream: stream as Duplex, client, received, closed, webSocket }
}

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

test('frames are received in order, however they are split into chunks (L4)', async () => {
  const messages = fc.array(message, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(messages, fc.array(fc.nat(), { maxLength: 6 }), async (sent, places) => {
      const { stream, client, received } = await open()
      const bytes = Buffer.concat(sent.flatMap(framesOf))
      for (const chunk of chunksOf(bytes, places)) stream.emit('data', chunk)
      expect(received).toEqual(sent.map(({ text }) => text))
      client.terminate()
    }),
    { numRuns: 60 },
  )
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
  const [upgrade, stream, head] = await once(server, 'upgrade')
  expect(head).toHaveLength(text('a').length + cut.length)
  const both = new Promise<void>(resolve => {
    const receive = (each: string) => {
      if (received.push(each) === 2) resolve()
    }
    sockets.handleUpgrade(upgrade, stream as Duplex, head, webSocket => {
      webSocket.on('message', (data: Buffer) => receive(data.toString()))
      readTextFrames(stream as Duplex, receive)
    })
  })
  client.write(text('b').subarray(5))
  await both
  expect(received).toEqual(['a', 'b'])
  client.destroy()
})

test('a close frame closes with its code, and no later frame is received (L4)', async () => {
  const { client, stream, received, closed, webSocket } = await open()
  const close = frame(Opcode.close, Buffer.from([0x0f, 0xa0]))
  stream.emit('data', Buffer.concat([text('a'), text('b'), close]))
  expect(webSocket.readyState).toBe(WebSocket.CLOSING)
  stream.emit('data', text('c'))
  client.close()
  expect(await closed).toBe(4000)
  expect(received).toEqual(['a', 'b'])
})

test.each([
  ['without a mask', frame(Opcode.text, Buffer.from('a'), { isMasked: false }), 1002],
  ['of invalid UTF-8', frame(Opcode.text, Buffer.from([0xff])), 1007],
  ['that is too long', frame(Opcode.text, Buffer.alloc(maxUpBytes + 1, 'a')), 1009],
])('a frame %s closes the connection (L4)', async (_what, bytes, code) => {
  const { client, stream, received } = await open()
  const closed = once(client, 'close')
  stream.emit('data', Buffer.concat([text('a'), bytes]))
  expect((await closed)[0]).toBe(code)
  expect(received).toEqual(['a'])
})

function text(content: string): Buffer {
  return frame(Opcode.text, Buffer.from(content))
}
