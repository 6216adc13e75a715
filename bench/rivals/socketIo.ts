// A server to compare with: Socket.IO with its rooms. It pings each client every 2 s.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { heartbeatIntervalMs } from '#contract/shared/liveRules.ts'

/**
 * A long timeout: the process is paused while others are measured, and would otherwise close its clients on
 * resume.
 */
const pingTimeoutMs = 60_000

const http = createServer()
const server = new Server(http, {
  transports: ['websocket'],
  serveClient: false,
  pingInterval: heartbeatIntervalMs,
  pingTimeout: pingTimeoutMs,
})

server.on('connection', socket => {
  let driving = ''
  socket.on('subscribe', async (room: string) => {
    await socket.join(room)
    socket.emit('snapshot', { room })
  })
  socket.on('drive', async (room: string) => {
    driving = room
    await socket.join(room)
    socket.emit('snapshot', { room })
  })
  socket.on('fix', (fix: object) => {
    socket.to(driving).emit('fix', { ...fix, s: driving.slice(8), c: Date.now() })
  })
})
http.listen(0, '127.0.0.1', () => process.send?.({ port: (http.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit())
