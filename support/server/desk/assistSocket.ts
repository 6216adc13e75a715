import { type Socket as Connection, Server as Engine } from 'engine.io'
import { Server, type Socket } from 'socket.io'
import { z } from 'zod'
import { parseJsonSafely, parseSafely } from '#contract/parse.ts'
import type { Person } from '#contract/users.ts'
import { refuseUpgrade, type UpgradeHandler } from '#server/http/upgrades.ts'
import { TokenBucket } from '#server/rateLimit/tokenBucket.ts'
import { maxAssistBytes } from '#support/contract/supportRules.ts'
import type { AgentToken } from '../agents/agentToken.ts'
import {
  agentTokenOf,
  isStillAuthorized,
  type OwnTab,
  ownTab,
  recheckIntervalMs,
  roomOf,
  type SupportAuthContext,
  signedInBy,
  visitorOf,
} from '../agents/auth.ts'
import { TabState } from './assistEvents.ts'
import type { Desk } from './desk.ts'
import { fromAgent, fromTab } from './relay.ts'
import type { AgentConnection, TabConnection } from './visit.ts'

/** Rate limit of packets per connection: a pointer moves 60 times a second. */
const packets = { capacity: 300, refillPerSecond: 120 }

/**
 * Rate limit of text in bytes. Text is parsed on arrival, in the process that also serves live timing; all
 * text events are small.
 */
const textBytes = { capacity: 256 * 1024, refillPerSecond: 32 * 1024 }

/** Rate limit of binary page recordings in bytes: a few whole pages at once, then their changes. */
const binaryBytes = { capacity: 8 * 1024 * 1024, refillPerSecond: 512 * 1024 }

/** Limit of sockets per user: tabs, and stale sockets not yet timed out. */
const maxSocketsPerUser = 30

/** Maximum queue of packets for a socket that does not drain. */
const maxQueuedPackets = 500

interface AuthenticatedAgent {
  agentToken: AgentToken
  person: Person
}

/** The identity of an accepted socket. */
type AuthenticatedClient = { loginId: string } & ({ tab: OwnTab } | { agent: AuthenticatedAgent })

interface SocketContext {
  desk: Desk
  auth: SupportAuthContext
  socket: Socket
}

/** Credentials that an agent sends when its socket connects. */
const AgentAuth = z.object({ token: z.string().optional() })

/**
 * Opens the assist socket, at `/ws-assist/socket/`. The only file that uses Socket.IO; it contains no rules
 * of the desk.
 */
export function openAssistSocket(desk: Desk, auth: SupportAuthContext) {
  // WebSocket only, without HTTP polling.
  const engine = new Engine({
    transports: ['websocket'],
    maxHttpBufferSize: maxAssistBytes + 64 * 1024,
  })
  engine.on('connection', enforceRateLimits)
  const io = new Server({ connectTimeout: 10_000, serveClient: false }).bind(engine)
  const open = new Map<Socket, Person>()

  io.use((socket, next) => void authenticate(auth, socket, next))
  io.on('connection', socket => {
    const client: AuthenticatedClient = socket.data
    const person = 'tab' in client ? client.tab.person : client.agent.person
    const own = [...open.values()].filter(({ id }) => id === person.id)
    const leave =
      own.length >= maxSocketsPerUser
        ? null
        : 'tab' in client
          ? connectTab({ desk, auth, socket }, client.tab)
          : connectAgent({ desk, auth, socket }, client.agent)
    // A server-side disconnect is not retried by the client: a retry would exceed the limit again.
    if (!leave) return void socket.disconnect(true)
    open.set(socket, person)
    socket.on('disconnect', () => {
      open.delete(socket)
      leave()
    })
  })

  /** Sockets of visitors whom one check found signed out. Their pages may still be ending a call or a recording. */
  const signedOutOnce = new WeakSet<Socket>()
  const recheckTimer = setInterval(() => {
    for (const [socket, person] of open) {
      const isAgent = 'agent' in (socket.data as AuthenticatedClient)
      isStillAuthorized(auth, socket.handshake.headers, { person, isAgent })
        .then(still => {
          if (still) return void signedOutOnce.delete(socket)
          if (isAgent || signedOutOnce.has(socket)) return void socket.disconnect(true)
          signedOutOnce.add(socket)
        })
        .catch((error: unknown) =>
          auth.log.error({ err: error }, 'failed to re-check a support socket'),
        )
    }
  }, recheckIntervalMs(auth))

  const stopWatchingLogins = auth.live.onLoginEnded(loginId => {
    for (const socket of open.keys()) {
      const client: AuthenticatedClient = socket.data
      // A visitor's page that signs out still has to end its call and its recording: the second check from now
      // closes its socket.
      if ('agent' in client && client.loginId === loginId) socket.disconnect(true)
    }
  })

  const take: UpgradeHandler = async (request, socket, head) => {
    const person = await visitorOf(auth, request.headers)
    if (socket.destroyed) return
    if (!person) return refuseUpgrade(socket, 401)
    engine.handleUpgrade(request, socket, head)
  }

  return {
    take,
    async close() {
      clearInterval(recheckTimer)
      stopWatchingLogins()
      await io.close()
    },
  }
}

/**
 * Closes connections that exceed a rate limit, counted before parsing. A visitor's page reconnects by
 * itself with a growing delay; an agent has to reconnect manually.
 */
function enforceRateLimits(connection: Connection) {
  const packetLimit = new TokenBucket(packets, performance.now())
  const text = new TokenBucket(textBytes, performance.now())
  const binary = new TokenBucket(binaryBytes, performance.now())
  connection.on('packet', ({ data = '' }: { data?: string | Buffer }) => {
    const fits = (typeof data === 'string' ? text : binary).tryConsume(
      performance.now(),
      data.length,
    )
    if (!packetLimit.tryConsume(performance.now()) || !fits) closeTransport(connection)
  })
}

/** Closes the connection below Socket.IO: the client never retries after a Socket.IO `disconnect`. */
function closeTransport(connection: Pick<Connection, 'close'>) {
  connection.close(true)
}

async function authenticate(
  auth: SupportAuthContext,
  socket: Socket,
  next: (refusal?: Error) => void,
) {
  try {
    const client = await identify(auth, socket)
    if (!client) return next(new Error('refused'))
    socket.data = client
    next()
  } catch (error) {
    auth.log.error({ err: error }, 'failed to authenticate a support socket')
    next(new Error('not-ready'))
  }
}

async function identify(
  auth: SupportAuthContext,
  { handshake }: Socket,
): Promise<AuthenticatedClient | null> {
  const signedIn = await signedInBy(auth, handshake.headers)
  if (!signedIn) return null
  const { person, loginId } = signedIn
  const { identity, peerId } = handshake.query
  if (identity === 'agent') {
    const { token } = parseSafely(AgentAuth, handshake.auth).data ?? {}
    const agentToken = await agentTokenOf(auth, token, person)
    return agentToken && roomOf(agentToken.visitId) === peerId
      ? { loginId, agent: { agentToken, person } }
      : null
  }
  const tab = ownTab(auth, peerId, person)
  return tab ? { loginId, tab } : null
}

function connectTab({ desk, auth, socket }: SocketContext, { visitId, tabId, person }: OwnTab) {
  const connection: TabConnection = { visitId, tabId, person, ...connectionOf(socket) }
  const leave = desk.joinTab(connection, isActive(socket.handshake.query['sessionInfo']))
  if (!leave) return null
  onEvent(auth, socket, (event, payload) => {
    const tab = desk.visit(visitId)?.tabs.get(tabId)
    if (tab?.connection === connection) fromTab(desk, tab, event, payload)
  })
  return leave
}

function connectAgent(
  { desk, auth, socket }: SocketContext,
  { agentToken, person }: AuthenticatedAgent,
) {
  const { visitId, peerId } = agentToken
  const connection: AgentConnection = {
    id: socket.id,
    visitId,
    peerId,
    agent: person,
    ...connectionOf(socket),
  }
  const leave = desk.joinAgent(connection)
  if (!leave) {
    socket.emit('SESSION_DISCONNECTED')
    return null
  }
  onEvent(auth, socket, (event, payload) => fromAgent(desk, connection, event, payload))
  return leave
}

/** Handles each event of a socket. A handler that throws closes this socket, not the process. */
function onEvent(
  auth: SupportAuthContext,
  socket: Socket,
  handle: (event: string, payload: unknown) => void,
) {
  socket.onAny((event: string, payload: unknown) => {
    try {
      handle(event, payload)
    } catch (error) {
      auth.log.error({ err: error, event }, 'failed to handle an assist event')
      closeTransport(socket.conn)
    }
  })
}

function connectionOf(socket: Socket) {
  return {
    send(event: string, ...args: unknown[]) {
      // A partial recording is useless, so a slow client is disconnected and starts from a new snapshot
      // after its reconnect.
      if (socket.conn['writeBuffer'].length > maxQueuedPackets) return closeTransport(socket.conn)
      socket.emit(event, ...args)
    },
    close: () => void socket.disconnect(true),
  }
}

/** Whether a tab is visible, as it reports when it connects. */
function isActive(sessionInfo: unknown): boolean {
  return parseJsonSafely(TabState, String(sessionInfo)).data?.active ?? true
}
