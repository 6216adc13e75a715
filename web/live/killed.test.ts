import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Message, MessageType } from '#contract/messages.ts'
import { messageTypes } from '#contract/messageTypes.ts'
import { type BuiltServer, newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { channelScreen, driveOn, messageOf } from '#testing/channelScreen.ts'
import type { Person } from '#testing/person.ts'
import { type Scene, setScene } from '#testing/scene.ts'
import { Channel } from './channel.ts'

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
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

// rules: M1 M2 M3 S4 L8
test(`a server that is killed ${kills} times at any moment loses nothing that it said it had`, {
  timeout: 300_000,
}, async () => {
  const { ana, leo, sessionId } = scene
  const car = channelScreen(Channel, server.url, leo)
  const pit = channelScreen(Channel, server.url, ana)
  const stopDriving = driveOn(car.channel, sessionId)
  const stopWatching = pit.channel.follow(sessionId, () => undefined)
  const sent: { version: number; type: MessageType }[] = []

  for (let n = 0; n < kills; n++) {
    const type = messageTypes[n % messageTypes.length]!
    const pressed = press(ana, sessionId, type)
    // Any moment from before the press arrives until after its receipts came.
    await new Promise(resolve => setTimeout(resolve, Math.random() * 100))
    await server.kill()
    server = await startBuiltServer({ dataDir, port })
    // Somebody looks at the screen: what would otherwise wait for up to 10 s comes back at once.
    car.wake()
    pit.wake()
    const { version } = await pressed
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
  stopDriving()
  stopWatching()
  car.channel.stop()
  pit.channel.stop()
})

/** The same press, tried again until the server says that it has it. */
async function press(ana: Person, sessionId: string, type: MessageType): Promise<Message> {
  const commandId = randomUUID()
  for (;;) {
    try {
      return await ana.call.messages.set({ sessionId, type, commandId })
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}
