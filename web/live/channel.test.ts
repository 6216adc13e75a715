import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Down, DownOf, Room, Up } from '#contract/live.ts'
import { CloseCode, protocol } from '#contract/liveRules.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { Channel } from './channel.ts'
import type { SocketClass } from './line.ts'
import { noMessage } from './messageState.ts'
import type { PageSignals } from './pageSignals.ts'

const userId = 'u1'
const sessionId = 's1'
const room: Room = `session:${sessionId}`

/** One line as the server sees it. */
class Peer {
  readonly #socket: WebSocket
  readonly heard: Up[] = []
  readonly closed: Promise<void>
  #wake: () => void = () => undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    this.closed = new Promise(resolve => socket.once('close', () => resolve()))
    socket.on('message', (data: Buffer) => {
      this.heard.push(JSON.parse(data.toString()) as Up)
      this.#wake()
    })
  }

  /** The next frame of this type that was not taken yet. */
  async next<T extends Up['t']>(t: T): Promise<Extract<Up, { t: T }>> {
    for (;;) {
      const index = this.heard.findIndex(frame => frame.t === t)
      if (index >= 0) return this.heard.splice(index, 1)[0] as Extract<Up, { t: T }>
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  say(frame: Down | string) {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  welcome() {
    this.say({ t: 'welcome', protocol, now: 1000, user: userId })
  }

  hangUp(code: number) {
    this.#socket.close(code)
  }
}

let server: WebSocketServer
let peers: Peer[]
let channel: Channel
let reports: string[]
let page: PageSignals & { online: boolean; signal(name: 'online' | 'offline' | 'visible'): void }

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  })
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  peers = []
  reports = []
  page = fakePage()
  channel = new Channel({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    WebSocket: WebSocket as unknown as SocketClass,
    page,
    report: problem => reports.push(problem),
  })
})

afterEach(() => {
  channel.stop()
  for (const client of server.clients) client.terminate()
  server.close()
  vi.useRealTimers()
})

test('a line says hello first, and is open once it is welcomed (L3)', async () => {
  const peer = await connect()
  expect(peer.heard).toEqual([])
  expect(channel.lineState).toBe('open')
})

test('a room is watched again on every new line, and starts from a snapshot each time (R2)', async () => {
  const first = await connect()
  const heard: Down[] = []
  const leave = channel.watch(room, frame => heard.push(frame))
  await first.next('watch')
  first.say(snapshotOf())
  await until(() => heard.length === 1)

  first.hangUp(CloseCode.goingAway)
  const second = await reconnect()
  expect((await second.next('watch')).room).toBe(room)
  second.say(snapshotOf({ version: 2, type: 'Pit' }))
  await until(() => heard.length === 2)
  expect(heard.map(frame => frame.t)).toEqual(['snapshot', 'snapshot'])

  leave()
  expect((await second.next('unwatch')).room).toBe(room)
})

test('a line that falls silent is let go within five seconds and brought back (L5)', async () => {
  const first = await connect()
  const second = nextPeer()
  await vi.advanceTimersByTimeAsync(5000)
  await first.closed
  expect(channel.lineState).toBe('down')
  await vi.advanceTimersByTimeAsync(200)
  expect((await (await second).next('hello')).protocol).toBe(protocol)
})

test('a line that is answered stays, however long nothing else happens', async () => {
  const peer = await connect()
  for (let beats = 0; beats < 6; beats++) {
    await vi.advanceTimersByTimeAsync(2000)
    const { at } = await peer.next('beat')
    const known = channel.clock.now()
    peer.say({ t: 'beat', at, now: known + 1, versions: {} })
    await heardByChannel(peer)
  }
  expect(channel.lineState).toBe('open')
  expect(peers).toHaveLength(1)
})

test('it says something at least every two seconds (L5)', async () => {
  const peer = await connect()
  for (let second = 2; second <= 4; second += 2) {
    await vi.advanceTimersByTimeAsync(2000)
    expect(await peer.next('beat')).toMatchObject({ t: 'beat' })
  }
})

test('a connection that is never welcomed is given up and tried again', async () => {
  const first = nextPeer()
  channel.start()
  await (await first).next('hello')
  const second = nextPeer()
  await vi.advanceTimersByTimeAsync(5200)
  expect(await (await second).next('hello')).toEqual({ t: 'hello', protocol })
})

test('a signed-out line tells the app and does not come back (L7)', async () => {
  let signedOut = 0
  channel.onSignedOut(() => signedOut++)
  const peer = await connect()
  peer.hangUp(CloseCode.signedOut)
  await until(() => signedOut === 1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(peers).toHaveLength(1)
  expect(channel.lineState).toBe('down')
})

test('an outdated app is told so and does not come back, not even when the page wakes up (L3, L7)', async () => {
  const peer = await connect()
  peer.hangUp(CloseCode.wrongProtocol)
  await until(() => channel.lineState === 'outdated')
  page.signal('online')
  page.signal('visible')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(peers).toHaveLength(1)
})

// spec: DR-18 DR-19
test('going offline closes the line at once; coming back opens another without waiting (L8)', async () => {
  const first = await connect()
  page.online = false
  page.signal('offline')
  expect(channel.lineState).toBe('down')
  await first.closed
  await vi.advanceTimersByTimeAsync(60_000)
  expect(peers).toHaveLength(1)

  const second = nextPeer()
  page.online = true
  page.signal('online')
  await (await second).next('hello')
})

test('a page that becomes visible does not wait for the next attempt (L8)', async () => {
  const first = await connect()
  const second = nextPeer()
  first.hangUp(CloseCode.goingAway)
  await until(() => channel.lineState === 'down')
  page.signal('visible')
  expect(await (await second).next('hello')).toEqual({ t: 'hello', protocol })
})

test('frames that are no frames are reported and change nothing', async () => {
  const peer = await connect()
  const heard: Down[] = []
  channel.watch(room, frame => heard.push(frame))
  peer.say('{"t":')
  peer.say('[]')
  peer.say('{"t":"constructor"}')
  peer.say('{"t":"message","session":"s1","message":null}')
  await heardByChannel(peer)
  expect(reports).toHaveLength(4)
  expect(heard).toEqual([])
  expect(channel.lineState).toBe('open')
})

test('driving goes on over a lost line, before anything else is said (R5)', async () => {
  const first = await connect()
  channel.drive(sessionId, () => undefined)
  expect((await first.next('drive')).session).toBe(sessionId)
  first.hangUp(CloseCode.tooSlow)
  const second = await reconnect()
  expect((await second.next('drive')).session).toBe(sessionId)
})

// spec: DR-20
test('no fix is sent while the line is down, and none is kept for later', async () => {
  const first = await connect()
  channel.drive(sessionId, () => undefined)
  expect(channel.sendFix(fixAt(0))).toBe(false)
  first.say(snapshotOf())
  await heardByChannel(first)
  expect(channel.sendFix(fixAt(1))).toBe(true)
  expect(await first.next('fix')).toEqual({
    t: 'fix',
    at: 1,
    la: 50.123457,
    lo: null,
    v: 88,
    ac: 4.3,
  })

  first.hangUp(CloseCode.goingAway)
  await until(() => channel.lineState === 'down')
  expect(channel.sendFix(fixAt(2))).toBe(false)
  const second = await reconnect()
  await second.next('drive')
  channel.onDriving(() => channel.sendFix(fixAt(3)))
  second.say(snapshotOf())
  expect((await second.next('fix')).at).toBe(3)
})

test('a fix without a position is said with nulls: it is the contact that counts (F1)', async () => {
  const peer = await connect()
  channel.drive(sessionId, () => undefined)
  peer.say(snapshotOf())
  await heardByChannel(peer)
  const nowhere = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }
  expect(channel.sendFix({ at: 7, ...nowhere })).toBe(true)
  expect(await peer.next('fix')).toEqual({ t: 'fix', at: 7, la: null, lo: null, v: null, ac: null })
})

// spec: DR-24
test('a fix that is refused is reported, unless the session is over (F1, F6)', async () => {
  const peer = await connect()
  channel.drive(sessionId, () => undefined)
  peer.say({ t: 'refused', re: 'fix', code: 'session-ended', message: '' })
  peer.say({ t: 'refused', re: 'fix', code: 'invalid-input', message: '' })
  await until(() => reports.length > 0)
  expect(reports).toEqual(['The server refused a fix: invalid-input'])
})

test('each stage of a message is said once, however often it happens (S1)', async () => {
  const peer = await connect()
  channel.drive(sessionId, () => undefined)
  peer.say(snapshotOf({ version: 4, type: 'Go' }))
  await heardByChannel(peer)
  for (const stage of ['reached', 'shown', 'shown', 'reached', 'copied', 'copied'] as const) {
    channel.sendReceipt({ sessionId, version: 4, stage, at: 60 })
  }
  await heardByChannel(peer)
  const said = peer.heard.flatMap(frame => (frame.t === 'receipt' ? [frame.stage] : []))
  expect(said).toEqual(['reached', 'shown', 'copied'])
})

test('a receipt is repeated on every new line until the server shows that it has it (S4)', async () => {
  const first = await connect()
  channel.drive(sessionId, () => undefined)
  channel.follow(sessionId, () => undefined)
  first.say(snapshotOf({ version: 7, type: 'Pit' }))
  await heardByChannel(first)
  channel.sendReceipt({ sessionId, version: 7, stage: 'reached', at: 50 })
  await first.next('receipt')
  first.hangUp(CloseCode.tooSlow)

  const second = await reconnect()
  expect(await second.next('receipt')).toEqual({
    t: 'receipt',
    version: 7,
    stage: 'reached',
    at: 50,
  })
  second.say({
    t: 'receipt',
    session: sessionId,
    version: 7,
    receipt: { reachedAt: 50, shownAt: null, copiedAt: null },
  })
  await heardByChannel(second)
  second.hangUp(CloseCode.tooSlow)

  const third = await reconnect()
  await third.next('watch')
  await heardByChannel(third)
  expect(third.heard.filter(frame => frame.t === 'receipt')).toEqual([])
})

test('a receipt given while the line is down is said when it is back (S4)', async () => {
  const first = await connect()
  channel.drive(sessionId, () => undefined)
  first.hangUp(CloseCode.goingAway)
  await until(() => channel.lineState === 'down')
  channel.sendReceipt({ sessionId, version: 3, stage: 'copied', at: 9 })
  const second = await reconnect()
  expect((await second.next('receipt')).stage).toBe('copied')
})

test('a beat that knows of a newer message makes the channel ask for the whole state (M5)', async () => {
  const peer = await connect()
  channel.follow(sessionId, () => undefined)
  await peer.next('watch')
  peer.say(snapshotOf({ version: 1, type: 'Go' }))
  peer.say({ t: 'beat', at: 0, now: 1, versions: { [sessionId]: 1 } })
  await heardByChannel(peer)
  expect(peer.heard.filter(frame => frame.t === 'watch')).toEqual([])

  peer.say({ t: 'beat', at: 0, now: 1, versions: { [sessionId]: 2 } })
  expect((await peer.next('watch')).room).toBe(room)
})

test('a followed session changes once for each new thing, and older messages are nothing new (M2)', async () => {
  const peer = await connect()
  let changes = 0
  channel.follow(sessionId, () => changes++)
  await peer.next('watch')
  peer.say(snapshotOf({ version: 2, type: 'Fuel' }))
  peer.say({ t: 'message', session: sessionId, message: { ...noMessage, version: 1, type: 'Go' } })
  peer.say({ t: 'message', session: sessionId, message: { ...noMessage, version: 3, type: 'SC' } })
  await heardByChannel(peer)
  expect(channel.session(sessionId).session?.message).toMatchObject({ version: 3, type: 'SC' })
  expect(changes).toBe(2)
})

test('who parks hears the session no more, unless it is watched besides', async () => {
  const peer = await connect()
  const park = channel.drive(sessionId, () => undefined)
  const stopWatching = channel.watch(room, () => undefined)
  await peer.next('watch')
  stopWatching()
  await heardByChannel(peer)
  expect(peer.heard.filter(frame => frame.t === 'unwatch')).toEqual([])

  channel.watch(room, () => undefined)
  await peer.next('watch')
  park()
  await peer.next('park')
  await peer.next('watch')
})

test('a refusal to drive reaches who wanted to drive', async () => {
  const peer = await connect()
  const refusals: string[] = []
  channel.drive(sessionId, code => refusals.push(code))
  await peer.next('drive')
  peer.say({ t: 'refused', re: 'drive', code: 'session-ended', message: 'This session has ended.' })
  await until(() => refusals.length === 1)
  expect(refusals).toEqual(['session-ended'])
})

test('what was refused for a reason that passes is asked for again with the next beat', async () => {
  const peer = await connect()
  const refusals: string[] = []
  channel.drive(sessionId, code => refusals.push(code))
  await peer.next('drive')
  peer.say({ t: 'refused', re: 'drive', code: 'server-error', message: '' })
  peer.say({ t: 'beat', at: 0, now: 1, versions: {} })
  expect((await peer.next('drive')).session).toBe(sessionId)
  expect(refusals).toEqual([])
})

test('a receipt that the server could not store is said again with the next beat (S4)', async () => {
  const peer = await connect()
  channel.drive(sessionId, () => undefined)
  peer.say(snapshotOf({ version: 7, type: 'Pit' }))
  await heardByChannel(peer)
  channel.sendReceipt({ sessionId, version: 7, stage: 'shown', at: 50 })
  await peer.next('receipt')
  peer.say({ t: 'refused', re: 'receipt', code: 'server-error', message: '' })
  peer.say({ t: 'beat', at: 0, now: 1, versions: {} })
  expect(await peer.next('receipt')).toMatchObject({ version: 7, stage: 'shown', at: 50 })
})

test('a stopped channel hangs up and stays away', async () => {
  const peer = await connect()
  channel.stop()
  await peer.closed
  await vi.advanceTimersByTimeAsync(60_000)
  expect(peers).toHaveLength(1)
})

/** Starts the channel, and welcomes it. */
async function connect(): Promise<Peer> {
  const coming = nextPeer()
  channel.start()
  return greet(await coming)
}

/** Lets the wait before the next attempt pass, and welcomes the new line. */
async function reconnect(): Promise<Peer> {
  const coming = nextPeer()
  await until(() => channel.lineState !== 'open')
  await vi.advanceTimersToNextTimerAsync()
  return greet(await coming)
}

async function greet(peer: Peer): Promise<Peer> {
  expect(await peer.next('hello')).toEqual({ t: 'hello', protocol })
  peer.welcome()
  await peer.next('beat')
  return peer
}

function nextPeer(): Promise<Peer> {
  return new Promise(resolve => {
    server.once('connection', socket => {
      const peer = new Peer(socket)
      peers.push(peer)
      resolve(peer)
    })
  })
}

/** Frames are heard in order: once a last one of no meaning came through, all before it did. */
async function heardByChannel(peer: Peer) {
  const probe: Room = `team:${peers.length}-${Math.random()}`
  let heard = false
  const leave = channel.watch(probe, () => {
    heard = true
  })
  const asked = await peer.next('watch')
  if (asked.room !== probe) peer.heard.unshift(asked)
  peer.say({ t: 'refused', re: 'watch', code: 'not-a-member', message: '', room: probe })
  await until(() => heard)
  leave()
  const left = await peer.next('unwatch')
  expect(left.room).toBe(probe)
  const late = peer.heard.findIndex(frame => frame.t === 'watch' && frame.room === probe)
  if (late >= 0) peer.heard.splice(late, 1)
}

/** Lets real sockets work until something is so; the clock stands still meanwhile. */
async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise(resolve => setImmediate(resolve))
}

function snapshotOf(message: Partial<Message> = {}): DownOf<'snapshot'> {
  const session: Session = {
    id: sessionId,
    teamId: 't1',
    name: 'Friday practice 1',
    status: 'Active',
    driver: { id: userId, firstName: 'Marta', lastName: 'Lindqvist', email: null },
    startedAt: 0,
    message: { ...noMessage, ...message },
    speedKmh: null,
    latitude: null,
    longitude: null,
    lastDriverContactAt: null,
  }
  return { t: 'snapshot', room, now: 1000, snapshot: { of: 'session', session } }
}

function fixAt(at: number) {
  return { at, latitude: 50.12345678, longitude: null, speedKmh: 88, accuracyM: 4.25 }
}

function fakePage() {
  const listeners = {
    online: new Set<() => void>(),
    offline: new Set<() => void>(),
    visible: new Set<() => void>(),
  }
  const on = (name: keyof typeof listeners) => (listener: () => void) => {
    listeners[name].add(listener)
    return () => {
      listeners[name].delete(listener)
    }
  }
  return {
    online: true,
    isOnline() {
      return this.online
    },
    onOnline: on('online'),
    onOffline: on('offline'),
    onVisible: on('visible'),
    signal(name: keyof typeof listeners) {
      for (const listener of listeners[name]) listener()
    },
  }
}
