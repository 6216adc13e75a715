import { createServer, type Socket } from 'node:net'
import { listening } from './listening.ts'

/** A server of official timing, as that of a timekeeper: it sends its lines to everybody who connects. */
export async function timingServer() {
  const sockets = new Set<Socket>()
  let waiting: ((socket: Socket) => void)[] = []
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    for (const resolve of waiting) resolve(socket)
    waiting = []
  })
  const local = await listening(server)
  return {
    port: local.port,
    get connections() {
      return sockets.size
    },
    /** Resolves with the next connection. */
    connected: () =>
      new Promise<Socket>(resolve => {
        waiting.push(resolve)
      }),
    send(...lines: string[]) {
      for (const socket of sockets) socket.write(lines.map(line => `${line}\r\n`).join(''))
    },
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await local[Symbol.asyncDispose]()
    },
  }
}
