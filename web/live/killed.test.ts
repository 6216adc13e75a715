import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Message, MessageType } from '#contract/messages.ts'
import { messageTypes } from '#contract/messageTypes.ts'
import type { Fix } from '#contract/positions.ts'
import { type BuiltServer, newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import type { Person } from '#testing/person.ts'
import { type Scene, setScene } from '#testing/scene.ts'
import { Channel } from './channel.ts'
import type { SocketClass } from './line.ts'

const kills = 20
const patience = { timeout: 30_000, interval: 20 }

let dataDir: string
let server: BuiltServer
let port: number
let scene: Scene

beforeAll(async () => {
  dataDir = await newDataDir()
  server = await startBuiltServer({ dataDir })
  port = Number(new URL(server.url).port)
  scene = await setScene(server)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

// rules: M1 M2 M3 S4 L8
test(`a server that is killed ${kills} times at any moment loses nothing that it said it had`, {
  timeout: 300_000,
}, async () => {
  const { ana, leo, sessionId } = scene
  const car = screenOf(leo)
  const pit = screenOf(ana)
  const stopDriving = driveOn(car, sessionId)
  const stopWatching = pit.channel.follow(sessionId, () => undefined)
  const sent: { version: number; type: MessageType }[] = []
  const batches: Fix[][] = []

  for (let n = 0; n < kills; n++) {
    const type = messageTypes[n % messageTypes.length]!
    const pressed = press(ana, sessionId, type)
    const fixes = someFixes()
    const stored = untilAnswered(() => leo.call.sessions.storeFixes({ sessionId, fixes }))
    // Any moment from before the press arrives until after its receipts came.
    await new Promise(resolve => setTimeout(resolve, Math.random() * 100))
    await server.kill()
    server = await startBuiltServer({ dataDir, port })
    const { version } = await pressed
    await stored
    batches.push(fixes)
    sent.push({ version, type })
    for (const { channel } of [car, pit]) {
      await vi.waitFor(
        () => expect(messageOf(channel, sessionId)).toMatchObject({ version, type }),
        patience,
      )
    }
    await vi.waitFor(
      () => expect(messageOf(pit.channel, sessionId)?.shownAt).not.toBeNull(),
      patience,
    )
  }

  const log = await ana.call.messages.log({ sessionId })
  expect(log.map(({ version, type }) => ({ version, type })).toReversed()).toEqual(sent)
  expect(sent.map(({ version }) => version)).toEqual(Array.from(sent, (_, index) => index + 1))
  // What was answered as stored is there: once more stores nothing.
  for (const fixes of batches) {
    expect(await leo.call.sessions.storeFixes({ sessionId, fixes })).toEqual({ stored: 0 })
  }
  stopDriving()
  stopWatching()
  car.channel.stop()
  pit.channel.stop()
})

/** The app's own channel, in a page that nobody touches: it has to come back by itself. */
function screenOf({ jar }: Person) {
  const channel = new Channel({
    url: `ws://127.0.0.1:${port}/live`,
    WebSocket: signedIn(jar.header),
    page: {
      isOnline: () => true,
      onOnline: () => () => undefined,
      onOffline: () => () => undefined,
      onNetwork: () => () => undefined,
      onVisible: () => () => undefined,
    },
    report: () => undefined,
  })
  channel.start()
  return { channel }
}

/** A socket with the cookies that a browser would send. */
function signedIn(cookie: string): SocketClass {
  return class extends WebSocket {
    constructor(url: string) {
      super(url, { headers: { cookie } })
    }
  } as unknown as SocketClass
}

/** The drive screen, without its paint. */
function driveOn({ channel }: { channel: Channel }, sessionId: string) {
  const stop = channel.drive(sessionId, () => undefined)
  const unfollow = channel.follow(sessionId, () => {
    const message = messageOf(channel, sessionId)
    if (!message || message.version === 0 || message.shownAt !== null) return
    const at = channel.clock.now()
    channel.sendReceipt({ sessionId, version: message.version, stage: 'reached', at })
    channel.sendReceipt({ sessionId, version: message.version, stage: 'shown', at })
  })
  return () => {
    unfollow()
    stop()
  }
}

function messageOf(channel: Channel, sessionId: string): Message | undefined {
  return channel.session(sessionId).session?.message
}

function press(ana: Person, sessionId: string, type: MessageType): Promise<Message> {
  const commandId = randomUUID()
  return untilAnswered(() => ana.call.messages.set({ sessionId, type, commandId }))
}

/** The same call, tried again until the server says that it did it. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

/** A few fixes, at times of their own. */
function someFixes(): Fix[] {
  const place = { latitude: 50.4372, longitude: 5.9714, speedKmh: 187, accuracyM: 4 }
  return Array.from({ length: 5 }, (_, index) => ({ at: Date.now() - 100 * index, ...place }))
}
