import { connect } from 'node:net'
import fc from 'fast-check'
import type { FuzzRecord } from './record.ts'

const entryPoint = 'raw HTTP'

const bytes = fc.string({ unit: 'binary-ascii', maxLength: 60 })

function mostly(known: fc.Arbitrary<string>, other = bytes): fc.Arbitrary<string> {
  return fc.oneof({ weight: 6, arbitrary: known }, { weight: 1, arbitrary: other })
}

/** Generates requests that no HTTP client would send. */
export const rawCase: fc.Arbitrary<string> = fc
  .record({
    method: mostly(fc.constantFrom('GET', 'GET', 'GET', 'POST', 'get', 'PRI', 'CONNECT', 'TRACE')),
    path: mostly(fc.constantFrom('/', '/api/auth.login', '*', 'http://evil.example/', '/live')),
    host: fc.constantFrom(['Host: 127.0.0.1'], ['Host: 127.0.0.1'], []),
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9'),
    headers: fc.array(
      mostly(
        fc.constantFrom(
          'Host: x',
          'Host:',
          'Host: a\r\nHost: b',
          'Content-Length: 5',
          'Content-Length: -1',
          'Content-Length: 5\r\nContent-Length: 6',
          'Transfer-Encoding: chunked',
          'Transfer-Encoding: chunked\r\nContent-Length: 3',
          'Transfer-Encoding: gzip',
          'Connection: upgrade\r\nUpgrade: websocket',
          'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x',
          'Connection: upgrade\r\nUpgrade: h2c',
          'Expect: something',
          'Content-Type: application/json',
          'Content-Type: multipart/form-data',
          'Cookie: a=%; =b; __Host-x=\u00ff; pitboard_login=x',
          'Forwarded: for=_hidden',
          'X-Forwarded-For: 1, 2, unknown, [::1',
          'Accept-Encoding: \u0001',
          'If-Modified-Since: \u00ff',
        ),
        fc.tuple(bytes, bytes).map(([name, value]) => `${name}: ${value}`),
      ),
      { maxLength: 5 },
    ),
    body: fc.constantFrom('', '{}', '{"a":', '5\r\nhello\r\n0\r\n\r\n', 'ffffffffff\r\n', '\u0000'),
  })
  .map(({ method, path, host, version, headers, body }) =>
    [`${method} ${path} ${version}`, ...host, ...headers, '', body].join('\r\n'),
  )

/** Delay before ending the socket: the server responds to an incomplete request only then. */
const endAfterMs = 250

/** Sends the text and then ends the socket: the server has to respond or close. */
export async function tryRaw(url: string, record: FuzzRecord, text: string) {
  const counts = record.of(entryPoint)
  counts.tried += 1
  const answer = await new Promise<string>(resolve => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.setTimeout(15_000, () => {
      record.violate(entryPoint, 'the server neither responded nor closed the connection', text)
      socket.destroy()
    })
    const end = setTimeout(() => socket.end(), endAfterMs)
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(end)
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
    socket.write(text, 'latin1')
  })
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
  if (status >= 500) {
    counts.serverErrors += 1
    record.violate(entryPoint, `responded ${status}`, text)
  }
  if (status >= 200 && status < 400) counts.accepted += 1
  else counts.refused += 1
}
