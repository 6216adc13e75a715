import type { IncomingHttpHeaders } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { parseJsonSafely } from '#contract/parse.ts'
import type { Person } from '#contract/users.ts'
import { refuseUpgrade, type UpgradeHandler } from '#server/http/upgrades.ts'
import { TokenBucket } from '#server/rateLimit/tokenBucket.ts'
import {
  isStillAuthorized,
  ownTab,
  recheckIntervalMs,
  roomOf,
  type SignedIn,
  type SupportAuthContext,
  signedInBy,
} from '../agents/auth.ts'
import type { Desk } from './desk.ts'

/** An offer with many candidates is a few kB. */
const maxBytes = 64 * 1024
const signalRate = { capacity: 200, refillPerSecond: 50 }

/** Timeout of a silent peer. PeerJS sends a heartbeat every 5 s. */
const timeoutMs = 60_000

/** Limit of open peers per user. */
const maxPeersPerUser = 30

/** Signals between agents and visitors. Only an agent offers a call, and only a visitor answers. */
const Signal = z.object({
  type: z.enum(['OFFER', 'ANSWER', 'CANDIDATE', 'LEAVE', 'HEARTBEAT']),
  dst: z.string().max(200).optional(),
  payload: z.unknown().optional(),
})

interface Peer {
  /** `<room>-<tab>` of a visitor, `<room>-agent…` of an agent. */
  id: string
  room: string
  isAgent: boolean
  person: Person
  loginId: string
  socket: WebSocket
  headers: IncomingHttpHeaders
  lastSeenAt: number
}

/**
 * Opens call signalling, at `/assist/peerjs`: it forwards signals between two browsers so that they can
 * connect to each other. Protocol: PeerJS 1.5.
 */
export function openPeerSignals(desk: Desk, auth: SupportAuthContext) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxBytes,
    clientTracking: false,
  })
  const peers = new Map<string, Peer>()

  const take: UpgradeHandler = async (request, socket, head) => {
    const query = new URL(request.url ?? '', 'http://here').searchParams
    const signedIn = await signedInBy(auth, request.headers)
    const identity =
      signedIn && identifyPeer(desk, auth, { ...signedIn, id: query.get('id') ?? '' })
    if (socket.destroyed) return
    if (!identity) return refuseUpgrade(socket, 401)
    sockets.handleUpgrade(request, socket, head, webSocket => {
      webSocket.on('error', () => {})
      const { headers } = request
      accept({ ...identity, socket: webSocket, headers, lastSeenAt: Date.now() })
    })
  }

  function accept(peer: Peer) {
    const own = [...peers.values()].filter(({ person }) => person.id === peer.person.id)
    const before = peers.get(peer.id)
    if (!before && own.length >= maxPeersPerUser) return peer.socket.close()
    peers.set(peer.id, peer)
    // The same browser reconnected before its old connection timed out.
    before?.socket.terminate()
    const rateLimit = new TokenBucket(signalRate, performance.now())
    peer.socket.on('message', (text: Buffer) => {
      peer.lastSeenAt = Date.now()
      if (!rateLimit.tryConsume(performance.now())) return peer.socket.terminate()
      try {
        onSignal(peer, text.toString())
      } catch (error) {
        auth.log.error({ err: error, userId: peer.person.id }, 'failed to handle a signal')
        peer.socket.terminate()
      }
    })
    peer.socket.on('close', () => {
      if (peers.get(peer.id) === peer) peers.delete(peer.id)
    })
    send(peer, { type: 'OPEN' })
  }

  function onSignal(from: Peer, text: string) {
    const signal = parseJsonSafely(Signal, text).data
    if (!signal || signal.type === 'HEARTBEAT' || !maySend(from, signal)) return
    const { type, payload, dst = '' } = signal
    const to = peers.get(dst)
    const together = to && to.room === from.room && to.isAgent !== from.isAgent
    if (together && registerCall(from, to, type)) {
      return send(to, { type, src: from.id, dst, payload })
    }
    // The caller retries after EXPIRE, sent if the peer is not connected or its tab is busy.
    if (type === 'OFFER') send(from, { type: 'EXPIRE', src: dst, dst: from.id })
  }

  /**
   * Registers a call at the desk and returns whether it may proceed. Every call goes through the desk,
   * which knows its owner.
   */
  function registerCall(from: Peer, to: Peer, type: string): boolean {
    const [agent, tab] = from.isAgent ? [from, to] : [to, from]
    const [, visitId = '', tabId = ''] = tab.id.split('-')
    const call = { visitId, tabId, peerId: agent.id }
    if (type === 'OFFER') return desk.ring(call)
    if (type === 'ANSWER') desk.answer(call)
    return true
  }

  const sweep = setInterval(() => {
    const now = Date.now()
    for (const peer of peers.values()) {
      if (now - peer.lastSeenAt > timeoutMs) peer.socket.terminate()
      isStillAuthorized(auth, peer.headers, peer)
        .then(still => still || peer.socket.terminate())
        .catch((error: unknown) => auth.log.error({ err: error }, 'failed to re-check a peer'))
    }
  }, recheckIntervalMs(auth))

  const stopWatchingLogins = auth.live.onLoginEnded(loginId => {
    for (const peer of peers.values()) {
      if (peer.isAgent && peer.loginId === loginId) peer.socket.terminate()
    }
  })

  return {
    take,
    close() {
      clearInterval(sweep)
      stopWatchingLogins()
      for (const { socket } of peers.values()) socket.terminate()
    },
  }
}

/**
 * Accepts the user's own tab, and an agent whose assist socket is open under this peer id. PeerJS sends its
 * token in the URL, which proxies log, so it is ignored: an agent's token is only sent over the assist
 * socket.
 */
function identifyPeer(
  desk: Desk,
  auth: SupportAuthContext,
  { id, person, loginId }: SignedIn & { id: string },
) {
  const tab = ownTab(auth, id, person)
  if (tab) return { id, room: roomOf(tab.visitId), isAgent: false, person, loginId }
  const connection = desk.agentAt(id)
  if (connection?.agent.id !== person.id) return null
  return { id, room: roomOf(connection.visitId), isAgent: true, person, loginId }
}

function maySend({ isAgent }: Peer, { type }: z.infer<typeof Signal>): boolean {
  if (type === 'OFFER') return isAgent
  if (type === 'ANSWER') return !isAgent
  return true
}

function send({ socket }: Peer, signal: object) {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(signal))
}
