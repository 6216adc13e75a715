import fc from 'fast-check'
import type { AgentPass } from '#support/contract/support.ts'
import { builtinProjectKey } from '#support/contract/supportRules.ts'
import { agentEvents, tabEvents } from '#support/server/desk/assistEvents.ts'
import { fromSchema } from '#testing/fuzz/fromSchema.ts'
import type { FuzzRecord } from '#testing/fuzz/record.ts'
import type { FuzzScene } from '#testing/fuzz/scene.ts'
import { FuzzSocket, until } from '#testing/fuzz/socket.ts'
import { jsonOf, type Names, nameToken } from '#testing/fuzz/tokens.ts'
import { hostileValue, mutated } from '#testing/fuzz/values.ts'

export type Side = 'tab' | 'agent'

/** Packets that one side of a visit sends over one socket, in order. `Pair.wire` encodes them. */
export interface SupportCase {
  side: Side
  packets: unknown[]
  /** Raw text, sent last because the server may close the socket on it. */
  last?: string | null | undefined
}

/** The tab's and the agent's socket of one visit. A received mark shows that earlier packets were handled. */
interface Pair {
  entryPoint: string
  tab: FuzzSocket
  agent: FuzzSocket
  /** Returns a message from `side` that makes the other side receive `mark`. */
  marked(side: Side, mark: string): string
  /** Encodes a packet for the socket. */
  wire(packet: unknown): string | Buffer
}

interface AssistPacket {
  event: string
  payload: unknown
}

function event(name: string, data: fc.Arbitrary<unknown>): fc.Arbitrary<AssistPacket> {
  const valid = fc.record({
    meta: fc.record({ tabId: fc.constantFrom('tab1', 'tab1', 'other') }),
    data,
  })
  return fc.record({
    event: fc.constant(name),
    payload: fc.oneof(
      { weight: 1, arbitrary: valid },
      { weight: 4, arbitrary: mutated(valid) },
      { weight: 1, arbitrary: hostileValue },
    ),
  })
}

const oddNames = fc.constantFrom('constructor', '__proto__', 'error', 'toString', 'NEW_AGENT', '')

const events = {
  tab: eventsOf(tabEvents),
  agent: eventsOf(agentEvents),
}

function eventsOf(table: Record<string, Parameters<typeof fromSchema>[0]>) {
  const known = Object.entries(table).map(([name, schema]) => event(name, fromSchema(schema)))
  const odd = fc.record({ event: oddNames, payload: hostileValue })
  return fc.oneof(...known, odd)
}

/** Malformed packets, and packets other than plain events. The server may close the socket on them. */
const oddPacket = fc.constantFrom(
  '42[]',
  '42[7,{}]',
  '42["disconnect"]',
  '42{"length":1}',
  '42["x",',
  '43[]',
  '4310["x"]',
  '451-["x",{"_placeholder":true,"num":5}]',
  '459999999-["view"]',
  '40{"token":{"toString":1}}',
  '41',
  '44"x"',
  '42/other,["x"]',
  '49',
  '4',
  '9x',
  '',
  `42["x",${'['.repeat(10_000)}${']'.repeat(10_000)}]`,
)

export const assistCase: fc.Arbitrary<SupportCase> = fc
  .constantFrom<Side>('tab', 'agent')
  .chain(side =>
    fc.record({
      side: fc.constant(side),
      packets: fc.array(events[side], { minLength: 40, maxLength: 100 }),
      last: fc.option(oddPacket),
    }),
  )

const signal = fc.record({
  type: fc.constantFrom('OFFER', 'ANSWER', 'CANDIDATE', 'CANDIDATE', 'LEAVE', 'HEARTBEAT', 'SHOUT'),
  dst: fc.constantFrom('tabPeer', 'agentPeer', 'foreignPeer').map(nameToken),
  payload: fc.oneof(
    fc.record({ sdp: fc.record({ type: fc.constant('offer'), sdp: fc.string() }) }),
    hostileValue,
  ),
})

export const signallingCase: fc.Arbitrary<SupportCase> = fc.record({
  side: fc.constantFrom<Side>('tab', 'agent'),
  packets: fc.array(fc.oneof(signal, mutated(signal), hostileValue), {
    minLength: 40,
    maxLength: 100,
  }),
})

/** Opens the assist sockets of a visitor's tab and of an agent who joined the visit. */
export async function openAssist(
  url: string,
  scene: FuzzScene,
): Promise<Pair & { pass: AgentPass }> {
  const { visitor, agent } = scene.people
  const { visitId } = scene.names
  const open = async (person: typeof agent, query: Record<string, string>, auth = {}) => {
    const search = new URLSearchParams({ EIO: '4', transport: 'websocket', ...query })
    const socket = new FuzzSocket(`${url}/ws-assist/socket/?${search}`, {
      cookie: person.jar.header,
      origin: url,
    })
    await socket.opened()
    socket.send(`40${JSON.stringify(auth)}`)
    if (!(await socket.receives('let in', text => text.startsWith('40'))))
      throw new Error('not let in')
    return socket
  }
  const tab = await open(visitor, {
    identity: 'session',
    peerId: `${builtinProjectKey}-${visitId}-tab1`,
    tabId: 'tab1',
  })
  const pass = await agent.call.support.join({ visitId })
  return {
    pass,
    entryPoint: 'assist',
    tab,
    agent: await open(agent, { identity: 'agent', peerId: pass.room }, { token: pass.token }),
    marked: (side, mark) =>
      side === 'tab'
        ? `42["UPDATE_SESSION",{"meta":{"tabId":"tab1"},"data":{"agentIds":["${mark}"]}}]`
        : `42["videofeed",{"meta":{"tabId":"tab1"},"data":{"streamId":"${mark}","enabled":true}}]`,
    wire: packet => {
      const { event: name, payload } = packet as AssistPacket
      return `42[${JSON.stringify(name)},${jsonOf(payload, scene.names) || 'null'}]`
    },
  }
}

/** Opens the call signalling sockets of the same pair. Keeps the assist sockets open, which they require. */
export async function openSignalling(url: string, scene: FuzzScene): Promise<Pair & Disposable> {
  const assist = await openAssist(url, scene)
  const { visitor, agent } = scene.people
  const { foreignVisitId } = scene.names
  const { room, token, peerId: agentPeer } = assist.pass
  const open = async (person: typeof agent, id: string) => {
    const search = new URLSearchParams({ key: 'peerjs', id, token, version: '1.5.4' })
    const socket = new FuzzSocket(`${url}/assist/peerjs?${search}`, {
      cookie: person.jar.header,
      origin: url,
    })
    if (!(await socket.receives('let in', text => text.includes('OPEN'))))
      throw new Error('not let in')
    return socket
  }
  const names: Names = {
    ...scene.names,
    tabPeer: `${room}-tab1`,
    agentPeer,
    foreignPeer: `${builtinProjectKey}-${foreignVisitId}-tab1`,
  }
  return {
    entryPoint: 'signalling',
    tab: await open(visitor, `${room}-tab1`),
    agent: await open(agent, agentPeer),
    marked: (side, mark) =>
      jsonOf(
        { type: 'CANDIDATE', dst: side === 'tab' ? '<<agentPeer>>' : '<<tabPeer>>', payload: mark },
        names,
      ),
    wire: packet => jsonOf(packet, names),
    [Symbol.dispose]() {
      assist.tab.close()
      assist.agent.close()
    },
  }
}

/** Sends a case's packets and a mark, and waits until the other side receives it or a socket closes. */
export async function trySupport(pair: Pair, record: FuzzRecord, each: SupportCase) {
  const counts = record.of(pair.entryPoint)
  const [from, to] = each.side === 'tab' ? [pair.tab, pair.agent] : [pair.agent, pair.tab]
  const before = to.received.length
  for (const packet of each.packets) from.send(pair.wire(packet))
  const mark = `mark${record.tried}`
  from.send(pair.marked(each.side, mark))
  const isMarked = () => to.received.some(text => text.includes(mark))
  await until(
    [from, to],
    `${pair.entryPoint}: the mark of the ${each.side}`,
    () => isMarked() || from.isClosed || to.isClosed,
  )
  const delivered = to.received.length - before - (from.isClosed ? 0 : 1)
  const accepted = Math.max(0, Math.min(each.packets.length, delivered))
  if (each.last) from.send(each.last)
  counts.tried += each.packets.length + (each.last ? 1 : 0)
  counts.accepted += accepted
  counts.refused += each.packets.length + (each.last ? 1 : 0) - accepted
}
