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

/** Packets a line may send at once, and a second in the long run: a pointer moves 60 times. */
const packets = { burst: 300, perSecond: 120 }

/** Text is parsed as it comes, in the process that carries live timing. All that is sent as text is small. */
const textBytes = { burst: 256 * 1024, perSecond: 32 * 1024 }

/** What a page may send of itself is binary: a few whole pages at once, then what changes on it. */
const binaryBytes = { burst: 8 * 1024 * 1024, perSecond: 512 * 1024 }

/** Sockets of one user: tabs, and some that have not noticed they died. */
const maxSocketsPerUser = 30

/** Packets that wait for a socket that does not drain. */
const maxWaiting = 500

interface EnteredAgent {
  pass: Pass
  person: Person
}

/** Who a socket is, once it was let in. */
type Entered = { loginId: string } & ({ tab: OwnTab } | { agent: EnteredAgent })

interface Arrival {
  desk: Desk
  doors: Doors
  socket: Socket
}

/** What an agent sends when its socket connects. */
const AgentAuth = z.object({ token: z.string().optional() })

/** The assist socket, at `/ws-assist/socket/`. The only file that knows Socket.IO; it knows no rules. */
export function openAssistSocket(desk: Desk, doors: Doors) {
  // Only WebSockets: nothing of it answers plain requests.
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
    // It does not come back by itself: there would be no room for it then either.
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
        .catch((error: unknown) => doors.log.error({ err: error }, 'a support socket'))
    }
  }, lookAgainMsOf(doors))

  const stopWatchingLogins = doors.live.onLoginEnded(loginId => {
    for (const socket of open.keys()) {
      const entered: Entered = socket.data
      // A page that signs out still has to end its call and its recording: the next check closes its socket.
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
 * Cuts off who sends too much, of whatever kind: counted before it is parsed. A page comes back by itself, later
 * each time; an agent by hand.
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

/** Closes the line below Socket.IO: a `disconnect` of the server is never tried again by the other end. */
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
    doors.log.error({ err: error }, 'a support socket was not let in')
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
      // Half of what was seen is worth nothing. Who cannot follow is cut off, and begins anew when it is back.
      if (socket.conn['writeBuffer'].length > maxWaiting) return cut(socket.conn)
      socket.emit(event, ...args)
    },
    close: () => void socket.disconnect(true),
  }
}

/** Whether a tab can be seen, as it says when it comes. */
function isActive(sessionInfo: unknown): boolean {
  return parseJsonSafely(TabNews, String(sessionInfo)).data?.active ?? true
}
