// A server to compare with: the simplest WebSocket broadcast. It parses a frame, serialises the event, and
// sends that text to everybody else in the room.
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

interface ClientFrame {
  t: string
  room?: string
  session?: string
}

const rooms = new Map<string, Set<WebSocket>>()
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })

server.on('connection', socket => {
  let driving = ''
  socket.on('error', () => undefined)
  socket.on('message', (data: Buffer) => {
    const up = JSON.parse(data.toString()) as ClientFrame
    if (up.t === 'heartbeat') return socket.send(JSON.stringify({ ...up, now: Date.now() }))
    if (up.t === 'fix') {
      return publish(`session:${driving}`, { ...up, s: driving, c: Date.now() }, socket)
    }
    if (up.t === 'drive') join(`session:${(driving = up.session ?? '')}`, socket)
    else if (up.t === 'subscribe') join(up.room ?? '', socket)
    else return
    socket.send(JSON.stringify({ t: 'snapshot' }))
  })
})
server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }))

function join(room: string, socket: WebSocket) {
  const members = rooms.get(room) ?? new Set()
  rooms.set(room, members.add(socket))
  socket.on('close', () => members.delete(socket))
}

function publish(room: string, event: object, from: WebSocket) {
  const text = JSON.stringify(event)
  for (const socket of rooms.get(room) ?? []) if (socket !== from) socket.send(text)
}

process.once('disconnect', () => process.exit())
