import { type Socket as Connection, Server as Engine } from 'engine.io'
import { Server, type Socket } from 'socket.io'
import { z } from 'zod'
import { parseJsonSafely, parseSafely } from '#contract/parse.ts'
import { maxAssistBytes } from '#contract/supportRules.ts'
import type { Person } from '#contract/users.ts'
import { refuseUpgrade, type TakeUpgrade } from '../http/upgrades.ts'
import type { Pass } from './agentToken.ts'
import { TabNews } from './assistEvents.ts'
import type { AgentLine, Desk, TabLine } from './desk.ts'
import {
  type Doors,
  lookAgainMsOf,
  type OwnTab,
  ownTab,
  passOf,
  roomOf,
  signedInBy,
  stillIn,
  visitorOf,
} from './entry.ts'
import { Flood } from './flood.ts'
import { fromAgent, fromTab } from './relay.ts'

/** Rate limit of packets per connection: a pointer moves 60 times a second. */
const packets = { burst: 300, perSecond: 120 }

/**
 * Rate limit of text in bytes. Text is parsed on arrival, in the process that also serves live timing; all
 * text events are small.
 */
const textBytes = { burst: 256 * 1024, perSecond: 32 * 1024 }

/** Rate limit of binary page recordings in bytes: a few whole pages at once, then their changes. */
const binaryBytes = { burst: 8 * 1024 * 1024, perSecond: 512 * 1024 }

/** Limit of sockets per user: tabs, and stale sockets not yet timed out. */
const maxSocketsPerUser = 30

/** Maximum queue of packets for a socket that does not drain. */
const maxWaiting = 500

interface EnteredAgent {
  pass: Pass
  person: Person
}

/** The identity of an accepted socket. */
type Entered = { loginId: string } & ({ tab: OwnTab } | { agent: EnteredAgent })

interface Arrival {
  desk: Desk
  doors: Doors
  socket: Socket
}

/** Credentials that an agent sends when its socket connects. */
const AgentAuth = z.object({ token: z.string().optional() })

/**
 * Opens the assist socket, at `/ws-assist/socket/`. The only file that uses Socket.IO; it contains no rules
 * of the desk.
 */
export function openAssistSocket(desk: Desk, doors: Doors) {
  // WebSocket only, without HTTP polling.
  const engine = new Engine({
    transports: ['websocket'],
    maxHttpBufferSize: maxAssistBytes + 64 * 1024,
  })
  engine.on('connection', limit)
  const io = new Server({ connectTimeout: 10_000 }).bind(engine)
  const open = new Map<Socket, Person>()

  io.use((socket, next) => void letIn(doors, socket, next))
  io.on('connection', socket => {
    const entered: Entered = socket.data
    const person = 'tab' in entered ? entered.tab.person : entered.agent.person
    const own = [...open.values()].filter(({ id }) => id === person.id)
    const leave =
      own.length >= maxSocketsPerUser
        ? null
        : 'tab' in entered
          ? greetTab({ desk, doors, socket }, entered.tab)
          : greetAgent({ desk, doors, socket }, entered.agent)
    // A server-side disconnect is not retried by the client: a retry would exceed the limit again.
    if (!leave) return void socket.disconnect(true)
    open.set(socket, person)
    socket.on('disconnect', () => {
      open.delete(socket)
      leave()
    })
  })

  const lookAgain = setInterval(() => {
    for (const [socket, person] of open) {
      const isAgent = 'agent' in (socket.data as Entered)
      stillIn(doors, socket.handshake.headers, { person, isAgent })
        .then(still => still || socket.disconnect(true))
        .catch((error: unknown) =>
          doors.log.error({ err: error }, 'failed to re-check a support socket'),
        )
    }
  }, lookAgainMsOf(doors))

  const stopWatchingLogins = doors.live.onLoginEnded(loginId => {
    for (const socket of open.keys()) {
      const entered: Entered = socket.data
      // A visitor's page that signs out still has to end its call and its recording: the next check closes
      // its socket.
      if ('agent' in entered && entered.loginId === loginId) socket.disconnect(true)
    }
  })

  const take: TakeUpgrade = async (request, socket, head) => {
    const person = await visitorOf(doors, request.headers)
    if (socket.destroyed) return
    if (!person) return refuseUpgrade(socket, 401)
    engine.handleUpgrade(request, socket, head)
  }

  return {
    take,
    async close() {
      clearInterval(lookAgain)
      stopWatchingLogins()
      await io.close()
    },
  }
}

/**
 * Closes connections that exceed a rate limit, counted before parsing. A visitor's page reconnects by
 * itself with a growing delay; an agent has to reconnect manually.
 */
function limit(connection: Connection) {
  const many = new Flood(packets)
  const text = new Flood(textBytes)
  const binary = new Flood(binaryBytes)
  connection.on('packet', ({ data = '' }: { data?: string | Buffer }) => {
    const fits = (typeof data === 'string' ? text : binary).takes(data.length)
    if (!many.takes() || !fits) cut(connection)
  })
}

/** Closes the connection below Socket.IO: the client never retries after a Socket.IO `disconnect`. */
function cut(connection: Pick<Connection, 'close'>) {
  connection.close(true)
}

async function letIn(doors: Doors, socket: Socket, next: (refusal?: Error) => void) {
  try {
    const entered = await enter(doors, socket)
    if (!entered) return next(new Error('refused'))
    socket.data = entered
    next()
  } catch (error) {
    doors.log.error({ err: error }, 'failed to authenticate a support socket')
    next(new Error('not-ready'))
  }
}

async function enter(doors: Doors, { handshake }: Socket): Promise<Entered | null> {
  const signedIn = await signedInBy(doors, handshake.headers)
  if (!signedIn) return null
  const { person, loginId } = signedIn
  const { identity, peerId } = handshake.query
  if (identity === 'agent') {
    const { token } = parseSafely(AgentAuth, handshake.auth).data ?? {}
    const pass = await passOf(doors, token, person)
    return pass && roomOf(pass.visitId) === peerId ? { loginId, agent: { pass, person } } : null
  }
  const tab = ownTab(doors, peerId, person)
  return tab ? { loginId, tab } : null
}

function greetTab({ desk, doors, socket }: Arrival, { visitId, tabId, person }: OwnTab) {
  const line: TabLine = { visitId, tabId, person, ...lineOf(socket) }
  const leave = desk.joinTab(line, isActive(socket.handshake.query['sessionInfo']))
  if (!leave) return null
  onEvent(doors, socket, (event, payload) => {
    const tab = desk.visit(visitId)?.tabs.get(tabId)
    if (tab?.line === line) fromTab(desk, tab, event, payload)
  })
  return leave
}

function greetAgent({ desk, doors, socket }: Arrival, { pass, person }: EnteredAgent) {
  const { visitId, peerId } = pass
  const line: AgentLine = { id: socket.id, visitId, peerId, agent: person, ...lineOf(socket) }
  const leave = desk.joinAgent(line)
  if (!leave) {
    socket.emit('SESSION_DISCONNECTED')
    return null
  }
  onEvent(doors, socket, (event, payload) => fromAgent(desk, line, event, payload))
  return leave
}

/** Handles each event of a socket. A handler that throws closes this socket, not the process. */
function onEvent(doors: Doors, socket: Socket, handle: (event: string, payload: unknown) => void) {
  socket.onAny((event: string, payload: unknown) => {
    try {
      handle(event, payload)
    } catch (error) {
      doors.log.error({ err: error, event }, 'failed to handle an assist event')
      cut(socket.conn)
    }
  })
}

function lineOf(socket: Socket) {
  return {
    send(event: string, ...args: unknown[]) {
      // A partial recording is useless, so a slow client is disconnected and starts from a new snapshot
      // after its reconnect.
      if (socket.conn['writeBuffer'].length > maxWaiting) return cut(socket.conn)
      socket.emit(event, ...args)
    },
    close: () => void socket.disconnect(true),
  }
}

/** Whether a tab is visible, as it reports when it connects. */
function isActive(sessionInfo: unknown): boolean {
  return parseJsonSafely(TabNews, String(sessionInfo)).data?.active ?? true
}
