import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { fixJson, fixNumber } from './fleet/circling.ts'
import { clientFrame, FrameReader, Opcode } from './frames.ts'

const fixes = [1, 20, 999_999].map(number => `${fixJson(number, 1000, 0).slice(0, -1)},"s":"spa"}`)
const heartbeat = '{"t":"heartbeat","at":1}'

/** Server frames with payload lengths of one byte and of two (RFC 6455, section 5.2). */
const small = [
  heartbeat,
  fixes[0] ?? '',
  fixes[1] ?? '',
  heartbeat,
  heartbeat.padEnd(300),
  fixes[2] ?? '',
]
/** The same with a length of eight bytes. */
const large = [...small, heartbeat.padEnd(70_000), fixes[2] ?? '']

test.each([1, 2, 3, 7, 50, 130, 2000])('frames are found in chunks of %i bytes', size => {
  const lengths = [heartbeat.length, heartbeat.length, 300]
  expect(readInChunks(small, size, true)).toEqual({ fixes: 3, numbers: [1, 20, 999_999], lengths })
  expect(readInChunks(small, size, false)).toEqual({ fixes: 3, numbers: [], lengths })
})

test.each([500, 65_536, 80_000])('a large frame is found in chunks of %i bytes', size => {
  const lengths = [heartbeat.length, heartbeat.length, 300, 70_000]
  expect(readInChunks(large, size, false)).toEqual({ fixes: 4, numbers: [], lengths })
})

test('a WebSocket server understands the client frames', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const texts = ['short', 'x'.repeat(126), 'y'.repeat(4000)]
  const received: string[] = []
  const all = new Promise<void>(resolve => {
    server.on('connection', webSocket =>
      webSocket.on('message', (data: Buffer) => {
        received.push(data.toString())
        if (received.length === texts.length) resolve()
      }),
    )
  })
  socket.write(
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  await once(socket, 'data')
  for (const text of texts) socket.write(clientFrame(Opcode.text, Buffer.from(text)))
  await all
  expect(received).toEqual(texts)
  socket.destroy()
  server.close()
})

test('the number of a fix survives a server that parses and serialises it', () => {
  for (const number of [0, 7, 120, 1_048_576, 9_999_990]) {
    const text = JSON.stringify(JSON.parse(fixJson(number, number * 100, 3)))
    expect(fixNumber(Buffer.from(text), 0, text.length)).toBe(number)
  }
})

function readInChunks(texts: string[], size: number, wantsFixes: boolean) {
  const stream = Buffer.concat(texts.map(serverFrame))
  const received = { fixes: 0, numbers: [] as number[], lengths: [] as number[] }
  const reader = new FrameReader({
    wantsFixes,
    isFix: (data, start) => data.toString('latin1', start, start + 7) === '{"t":"f',
    onFix(data, start, end) {
      received.fixes += 1
      if (wantsFixes) received.numbers.push(fixNumber(data, start, end))
    },
    onOther: (_opcode, payload) => received.lengths.push(payload.length),
  })
  for (let from = 0; from < stream.length; from += size) {
    reader.read(stream.subarray(from, from + size))
  }
  return received
}

function serverFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x81, payload.length]), payload])
  const header = Buffer.alloc(payload.length < 65_536 ? 4 : 10)
  header[0] = 0x81
  if (header.length === 4) {
    header[1] = 126
    header.writeUInt16BE(payload.length, 2)
  } else {
    header[1] = 127
    header.writeBigUInt64BE(BigInt(payload.length), 2)
  }
  return Buffer.concat([header, payload])
}
