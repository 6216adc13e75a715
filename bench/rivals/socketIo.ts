// A program to compare with: Socket.IO with its rooms. It asks each client every 2 s whether it is there,
// and knows after 5 s that it is not, as our own server does.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { beatEveryMs, deadAfterMs } from '#contract/liveRules.ts'

const http = createServer()
const server = new Server(http, {
  transports: ['websocket'],
  serveClient: false,
  pingInterval: beatEveryMs,
  pingTimeout: deadAfterMs - beatEveryMs,
})

server.on('connection', socket => {
  let driving = ''
  socket.on('watch', async (room: string) => {
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
