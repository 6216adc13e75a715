import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenReplay, startOpenReplay } from '#support/testing/openReplay.ts'
import { endAbsentAgents } from './absentAgents.ts'

let server: OpenReplay
const sockets: Socket[] = []

beforeEach(async () => {
  server = await startOpenReplay()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect()
  await server.stop()
})

function open(query: Record<string, string>): Socket {
  const socket = io(server.url, {
    path: '/ws-assist/socket',
    transports: ['websocket'],
    forceNew: true,
    query,
  })
  sockets.push(socket)
  return socket
}

const openAgent = () => open({ identity: 'agent', agentInfo: '{"name":"Mia"}' })

/** Resolves with the arguments of the socket's next event of this name. */
function next(socket: Socket, event: string): Promise<unknown[]> {
  return new Promise(resolve => socket.once(event, (...args: unknown[]) => resolve(args)))
}

/** Opens a page's connection and records which agents its add-on is notified of as gone. */
async function openTab({ disconnectedMs = 60_000 } = {}) {
  const socket = open({ identity: 'session', tabId: 'tab1' })
  const controller = new AbortController()
  const agents = new Set<string>()
  const gone: string[] = []
  socket.on('NEW_AGENT', (id: string) => void agents.add(id))
  socket.on('AGENTS_CONNECTED', (ids: string[]) => {
    for (const id of ids) agents.add(id)
  })
  socket.on('AGENT_DISCONNECTED', (id: string) => {
    agents.delete(id)
    gone.push(id)
  })
  await next(socket, 'connect')
  endAbsentAgents(socket, {
    agents: () => [...agents],
    signal: controller.signal,
    announcedMs: 50,
    disconnectedMs,
  })
  return { socket, controller, gone }
}

/** Opens a page and an agent, and disconnects the page. */
async function lostTab(options?: { disconnectedMs: number }) {
  const tab = await openTab(options)
  const agent = openAgent()
  const [id] = await next(tab.socket, 'NEW_AGENT')
  tab.socket.disconnect()
  await next(agent, 'SESSION_DISCONNECTED')
  return { ...tab, agent, id }
}

test('agents are gone if the server announces none after a reconnect', async () => {
  const { socket, agent, id, gone } = await lostTab()
  agent.disconnect()
  socket.connect()
  await expect.poll(() => gone).toEqual([id])
})

test('an agent who is still announced after a reconnect stays', async () => {
  const { socket, agent, gone } = await lostTab()
  socket.connect()
  await next(socket, 'AGENTS_CONNECTED')
  const other = openAgent()
  const [otherId] = await next(socket, 'NEW_AGENT')
  other.disconnect()
  await expect.poll(() => gone).toEqual([otherId])
  agent.disconnect()
  await expect.poll(() => gone).toHaveLength(2)
})

test('an agent who joins just after the page replaces those before', async () => {
  const { socket, agent, id, gone } = await lostTab()
  agent.disconnect()
  socket.connect()
  await next(socket, 'connect')
  openAgent()
  await next(socket, 'NEW_AGENT')
  await expect.poll(() => gone).toEqual([id])
})

test('agents are gone if the page does not reconnect in time', async () => {
  const { gone, id } = await lostTab({ disconnectedMs: 50 })
  await expect.poll(() => gone).toEqual([id])
})

test('a refused reconnect ends nothing', async () => {
  const { socket, gone, id } = await lostTab()
  const broken = open({ identity: 'session', tabId: 'tab1' })
  await next(broken, 'connect')
  for (let attempt = 1; attempt <= 4; attempt++) {
    socket.connect()
    await next(socket, 'disconnect')
  }
  broken.disconnect()
  socket.connect()
  expect(await next(socket, 'AGENTS_CONNECTED')).toEqual([[id]])
  expect(gone).toEqual([])
})

test('a visit that has ended changes nothing', async () => {
  const { controller, gone } = await lostTab({ disconnectedMs: 50 })
  controller.abort()
  // A later page whose visit goes on, with the same timeout.
  const later = await lostTab({ disconnectedMs: 50 })
  await expect.poll(() => later.gone).toContain(later.id)
  expect(gone).toEqual([])
})
