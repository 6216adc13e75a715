import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'

const channel = 'net.server.socket'

/** Finds the server's end of a connection to a server in this process. Its `bytesRead` counts the received bytes. */
export function serverSockets() {
  const accepted = new Map<number | undefined, Socket>()
  const waiting = new Map<number | undefined, (socket: Socket) => void>()
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    accepted.set(socket.remotePort, socket)
    waiting.get(socket.remotePort)?.(socket)
  }
  subscribe(channel, onSocket)
  return {
    /** Returns the server's end, once the client's is connected. */
    async of(client: Socket): Promise<Socket> {
      if (client.connecting) await once(client, 'connect')
      const { localPort } = client
      return (
        accepted.get(localPort) ??
        new Promise(resolve => {
          waiting.set(localPort, resolve)
        })
      )
    },
    [Symbol.dispose]: () => unsubscribe(channel, onSocket),
  }
}
