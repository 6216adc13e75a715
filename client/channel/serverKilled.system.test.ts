import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Message, MessageType } from '#contract/messages.ts'
import type { Fix } from '#contract/positions.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { type BuiltServer, migratedDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { channelScreen, driveOn, messageOf } from '#testing/live/channelScreen.ts'
import { patience } from '#testing/patience.ts'
import type { Person } from '#testing/people/person.ts'
import { createScene, type Scene } from '#testing/people/scene.ts'
import { Channel } from './channel.ts'

const kills = 10
/** The server is killed at most this long after a command: before it arrives, or until after its receipts. */
const killedWithinMs = 100
const waitOptions = { timeout: 30_000 * patience, interval: 20 }

let dataDir: string
let server: BuiltServer
let port: number
let scene: Scene

beforeAll(async () => {
  dataDir = await migratedDataDir()
  server = await startBuiltServer({ dataDir })
  port = Number(new URL(server.url).port)
  scene = await createScene(server)
}, 120_000 * patience)
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

// rules: M1 M2 M3 S4 L8
test(`a server killed ${kills} times loses nothing that it acknowledged`, {
  timeout: 300_000 * patience,
}, async () => {
  const { ana, leo, sessionId } = scene
  const car = channelScreen(Channel, server.url, leo)
  const pit = channelScreen(Channel, server.url, ana)
  const stopDriving = driveOn(car.channel, sessionId)
  const stopWatching = pit.channel.follow(sessionId, () => undefined)
  const sent: { version: number; type: MessageType }[] = []
  const batches: Fix[][] = []

  for (let n = 0; n < kills; n++) {
    const type = messageTypes[n % messageTypes.length]!
    const pressed = press(ana, sessionId, type)
    const fixes = someFixes()
    const stored = untilAnswered(() => leo.call.sessions.storeFixes({ sessionId, fixes }))
    // Each kill is at a random moment of its own part of this time, so that a few kills cover all of it.
    const delayMs = ((n + Math.random()) / kills) * killedWithinMs
    await new Promise(resolve => setTimeout(resolve, delayMs))
    await server.kill()
    server = await startBuiltServer({ dataDir, port })
    const { version } = await pressed
    await stored
    batches.push(fixes)
    sent.push({ version, type })
    for (const { channel } of [car, pit]) {
      await vi.waitFor(
        () => expect(messageOf(channel, sessionId)).toMatchObject({ version, type }),
        waitOptions,
      )
    }
    await vi.waitFor(
      () => expect(messageOf(pit.channel, sessionId)?.shownAt).not.toBeNull(),
      waitOptions,
    )
  }

  const log = await ana.call.messages.log({ sessionId })
  expect(log.map(({ version, type }) => ({ version, type })).toReversed()).toEqual(sent)
  expect(sent.map(({ version }) => version)).toEqual(Array.from(sent, (_, index) => index + 1))
  // All acknowledged fixes are stored: storing them again adds none.
  for (const fixes of batches) {
    expect(await leo.call.sessions.storeFixes({ sessionId, fixes })).toMatchObject({ stored: 0 })
  }
  stopDriving()
  stopWatching()
  car.channel.stop()
  pit.channel.stop()
})

/** Sends one command, retried until the server acknowledges it. */
function press(ana: Person, sessionId: string, type: MessageType): Promise<Message> {
  const commandId = randomUUID()
  return untilAnswered(() => ana.call.messages.set({ sessionId, type, commandId }))
}

/** Retries a call until it succeeds. */
async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

/** A few fixes with different times. */
function someFixes(): Fix[] {
  const place = { latitude: 50.4372, longitude: 5.9714, speedKmh: 187, accuracyM: 4 }
  return Array.from({ length: 5 }, (_, index) => ({ at: Date.now() - 100 * index, ...place }))
}
