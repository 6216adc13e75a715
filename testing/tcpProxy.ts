import { connect, createServer, type Socket } from 'node:net'
import { listening } from './listening.ts'

/** Starts a proxy to a server of this machine. `pass` is called for both directions of each connection. */
export async function tcpProxy(
  serverPort: number,
  pass: (from: Socket, to: Socket, direction: 'up' | 'down') => void,
) {
  const sockets = new Set<Socket>()
  const proxy = createServer(client => {
    const server = connect(serverPort, '127.0.0.1')
    for (const each of [client, server]) {
      sockets.add(each.setNoDelay(true))
      each.on('error', () => undefined)
    }
    pass(client, server, 'up')
    pass(server, client, 'down')
  })
  const local = await listening(proxy)
  /** Closes all connections at once. */
  function closeConnections() {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: local.port,
    closeConnections,
    async [Symbol.asyncDispose]() {
      closeConnections()
      await local[Symbol.asyncDispose]()
    },
  }
}
