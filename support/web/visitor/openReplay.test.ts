import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenReplay, startOpenReplay } from '#support/testing/openReplay.ts'
import { followOpenReplay } from './openReplay.ts'

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

/** Resolves with the arguments of the socket's next event of this name. */
function next(socket: Socket, event: string): Promise<unknown[]> {
  return new Promise(resolve => socket.once(event, (...args: unknown[]) => resolve(args)))
}

/** Opens a page's connection, always the same page, and follows it as a visit does. */
function openTab() {
  const socket = open({ identity: 'session', tabId: 'tab1' })
  const controller = new AbortController()
  const warnings: string[] = []
  const refusals: string[] = []
  socket.on('SESSION_ALREADY_CONNECTED', () => refusals.push('refused'))
  followOpenReplay(socket, {
    tabId: 'tab1',
    signal: controller.signal,
    warn: reason => warnings.push(reason),
    reconnectDelayMs: 20,
  })
  return { socket, controller, warnings, refusals }
}

const refused = ({ socket }: { socket: Socket }) => next(socket, 'SESSION_ALREADY_CONNECTED')

test('a page refused as already connected connects again until it is let in', async () => {
  const broken = openTab()
  await next(broken.socket, 'connect')
  const tab = openTab()
  await refused(tab)
  await refused(tab)
  broken.socket.disconnect()
  await next(tab.socket, 'connect')
  expect(tab.socket.connected).toBe(true)
})

test('a refused page does not connect again once its visit has ended', async () => {
  await next(openTab().socket, 'connect')
  const ended = openTab()
  await refused(ended)
  ended.controller.abort()
  const other = openTab()
  for (let attempt = 1; attempt <= 4; attempt++) await refused(other)
  expect(ended.refusals).toHaveLength(1)
})

test('the call of a newer agent is ended, and the reason is logged', async () => {
  const { socket, warnings } = openTab()
  await next(socket, 'connect')
  const agent = open({ identity: 'agent', agentInfo: '{"name":"Mia"}' })
  await next(socket, 'NEW_AGENT')
  agent.emit('webrtc_call_offer', { from: 'a', offer: {} })
  expect(await next(agent, 'call_end')).toEqual([{ meta: { tabId: 'tab1' } }])
  expect(warnings).toEqual([expect.stringContaining('OpenReplay 1.20 or 1.21')])
})
