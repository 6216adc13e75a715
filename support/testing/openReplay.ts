import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { Server, type Socket } from 'socket.io'
import { type WebSocket, WebSocketServer } from 'ws'

/** The only project of the server. The key has 20 characters, as OpenReplay's have. */
export const projectKey = 'abcDEF0123456789abcd'

const sessionId = '1234567890'

/** The usability test of the server, with its id in the path. */
const usabilityTest = {
  title: 'Find the map',
  description: '',
  guidelines: 'Think aloud.',
  reqMic: false,
  reqCamera: false,
  tasks: [{ task_id: 1, title: 'Open a session', description: '', allow_typing: false }],
}

/** JSON responses of the ingest, by path. */
const answers: Record<string, object> = {
  'feature-flags': { flags: [] },
  tags: { tags: [] },
  'uxt/test/7': { test: usabilityTest },
}

/** Any site may record here, but without cookies. Source: responses of OpenReplay's ingest, 1.20. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST,GET',
  'access-control-allow-headers': '*,Authorization,Content-Type,Content-Encoding',
}

export interface OpenReplay {
  url: string
  /** Paths of the ingest's requests with their bodies, without uploads of recordings. */
  requests: { path: string; body: string }[]
  /** Everything that pages sent to agents, as text. */
  pages: string[]
  /** HTML of the player, served at `/player`. */
  player: string
  /** Whether it has the signalling server of calls, which OpenReplay 1.22 removed. */
  peers: boolean
  stop(): Promise<void>
}

/**
 * A stand-in for an OpenReplay server. Its agents connect to the assist socket with `identity=agent`. Unlike
 * the built-in desk it forwards everything unchecked, sends no names of agents, sends nothing to a tab that
 * connects while no agent is there, and refuses a tab that is still connected.
 */
export async function startOpenReplay(): Promise<OpenReplay> {
  const state: Omit<OpenReplay, 'url' | 'stop'> = {
    peers: true,
    requests: [],
    pages: [],
    player: '',
  }
  const http = createServer((request, response) => void answer(state, request, response))
  const io = new Server(http, {
    path: '/ws-assist/socket',
    transports: ['websocket'],
    cors: { origin: '*' },
    destroyUpgrade: false,
    // The real server's ping timeout: a broken connection stays that long.
    pingTimeout: 45_000,
  })
  io.on('connection', socket => connect(io, socket, state.pages))
  const signals = new WebSocketServer({ noServer: true })
  const peerSockets = new Map<string, WebSocket>()
  http.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', 'http://replay')
    if (url.pathname.startsWith('/ws-assist/')) return
    if (!state.peers) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
    signals.handleUpgrade(request, socket, head, peer =>
      connectPeer(peerSockets, peer, url.searchParams.get('id') ?? ''),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return Object.assign(state, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async stop() {
      for (const peer of peerSockets.values()) peer.terminate()
      await io.close()
      http.closeAllConnections()
    },
  })
}

async function answer(
  { requests, player }: Pick<OpenReplay, 'requests' | 'player'>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const path = (request.url ?? '').split('?', 1)[0]?.replace('/ingest/v1/web/', '') ?? ''
  if (path === '/player') return response.setHeader('content-type', 'text/html').end(player)
  if (request.method === 'OPTIONS') return response.writeHead(200, cors).end()
  const body = await text(request)
  requests.push({ path, body: path === 'i' ? '' : body })
  const json = { ...cors, 'content-type': 'application/json' }
  if (path !== 'start')
    return response.writeHead(200, json).end(JSON.stringify(answers[path] ?? {}))
  const start = JSON.parse(body) as { projectKey: string; token?: string }
  if (start.projectKey !== projectKey) {
    return response.writeHead(404, json).end('{"error":"project doesn\'t exist or is not active"}')
  }
  return response.writeHead(200, json).end(
    JSON.stringify({
      token: start.token ?? 'a.b',
      sessionID: sessionId,
      userUUID: 'a-uuid',
      projectID: '7',
      delay: 0,
      compressionThreshold: 24_000,
    }),
  )
}

/** Room of the session and its agents. Source: the messages of OpenReplay's assist server, 1.20. */
const room = `${projectKey}-${sessionId}`

/** The id of a tab in call signalling. */
export const peerIdOf = (tabId: string) => `${room}-${tabId}`

function connect(io: Server, socket: Socket, pages: string[]) {
  const { identity, tabId, agentInfo } = socket.handshake.query
  const others = () => [...io.of('/').sockets.values()].filter(each => each !== socket)
  const tabs = () => others().filter(each => each.handshake.query.identity === 'session')
  const agents = () => others().filter(each => each.handshake.query.identity === 'agent')
  void socket.join(room)
  if (identity === 'agent') {
    socket.to(room).emit('NEW_AGENT', socket.id, JSON.parse(String(agentInfo)))
    if (tabs().length === 0) socket.emit('SESSION_DISCONNECTED')
    socket.onAny((event: string, payload?: { meta?: { tabId?: string } }) => {
      const wanted = payload?.meta?.tabId
      const tab = tabs().find(each => wanted === undefined || each.handshake.query.tabId === wanted)
      if (tab) tab.emit(event, socket.id, payload)
      else socket.emit('SESSION_DISCONNECTED')
    })
    socket.on('disconnect', () => {
      io.to(room).emit('AGENT_DISCONNECTED', socket.id)
      if (agents().length === 0) io.to(room).emit('NO_AGENT')
    })
    return
  }
  if (tabs().some(each => each.handshake.query.tabId === tabId)) {
    socket.emit('SESSION_ALREADY_CONNECTED')
    return void socket.disconnect()
  }
  if (agents().length > 0) {
    socket.emit(
      'AGENTS_CONNECTED',
      agents().map(({ id }) => id),
    )
    socket.to(room).emit('SESSION_RECONNECTED', socket.id)
  }
  socket.onAny((event: string, payload?: { meta?: object; data?: unknown }) => {
    if (event === 'messages') pages.push(JSON.stringify(payload))
    if (event === 'messages_gz') pages.push(gunzipSync(payload?.data as Buffer).toString())
    const wrapped = payload?.meta ? payload : { meta: { tabId, version: 1 }, data: payload }
    for (const agent of agents()) agent.emit(event, wrapped)
  })
  socket.on('disconnect', () => {
    if (tabs().length === 0) io.to(room).emit('SESSION_DISCONNECTED')
  })
}

/** Relays the signals of PeerJS between two ids. */
function connectPeer(open: Map<string, WebSocket>, peer: WebSocket, id: string) {
  open.set(id, peer)
  peer.send('{"type":"OPEN"}')
  peer.on('close', () => open.delete(id))
  peer.on('message', (message: Buffer) => {
    const signal = JSON.parse(message.toString()) as { type: string; dst?: string }
    if (signal.dst === undefined) return
    const to = open.get(signal.dst)
    if (to) to.send(JSON.stringify({ ...signal, src: id }))
    else if (signal.type !== 'LEAVE') {
      peer.send(JSON.stringify({ type: 'EXPIRE', src: signal.dst, dst: id }))
    }
  })
}
