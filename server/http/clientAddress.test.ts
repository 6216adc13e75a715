import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { ClientAddresses } from './clientAddress.ts'

/** Returns a request whose connection was reset before its address was read. */
async function requestThatIsGone(addresses: ClientAddresses | null, forwardedFor: string) {
  const server = createServer()
  addresses?.watch(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${forwardedFor}\r\n\r\n`)
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  socket.resetAndDestroy()
  request.on('error', () => {})
  await new Promise(resolve => request.socket.once('close', resolve))
  server.close()
  return request
}

test('the address of a connection is known after a reset', async () => {
  const addresses = new ClientAddresses([])
  const request = await requestThatIsGone(addresses, '203.0.113.7')
  expect(addresses.of(request)).toBe('127.0.0.1')
  const unwatched = await requestThatIsGone(null, '203.0.113.7')
  expect(addresses.of(unwatched)).toBeUndefined()
})

test('a trusted proxy determines the address, only the last one it forwarded', async () => {
  const addresses = new ClientAddresses(['127.0.0.0/8'])
  const request = await requestThatIsGone(addresses, '198.51.100.1, 203.0.113.7')
  expect(addresses.of(request)).toBe('203.0.113.7')
})
