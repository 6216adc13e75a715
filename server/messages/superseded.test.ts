import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageType } from '#contract/messages.ts'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { systemClock } from '../clock.ts'
import { storeNext } from './messages.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

async function pressScene() {
  const { id: sessionId } = (await scene.newSession()).session
  const press = (type: MessageType, commandId: string, supersedes?: string[]) =>
    scene.ana.call.messages.set({ sessionId, type, commandId, ...(supersedes && { supersedes }) })
  const sent = async () =>
    (await scene.ana.call.messages.log({ sessionId })).map(({ type }) => type).reverse()
  return { sessionId, press, sent, go: randomUUID(), pit: randomUUID() }
}

test('a superseded command that arrives late stores nothing (M4)', async () => {
  const { press, sent, go, pit } = await pressScene()
  const message = await press('Pit', pit, [go])
  expect(await press('Go', go)).toEqual(message)
  // Other messages in between change nothing.
  await press('Fuel', randomUUID(), [randomUUID()])
  await press('Go', go)
  expect(await sent()).toEqual(['Pit', 'Fuel'])
})

test('a superseded command that arrived in time is replaced (M4)', async () => {
  const { press, sent, go, pit } = await pressScene()
  await press('Go', go)
  const message = await press('Pit', pit, [go])
  expect(await press('Pit', pit, [go])).toEqual(message)
  expect(await press('Go', go)).toEqual(message)
  expect(await sent()).toEqual(['Go', 'Pit'])
})

test('a command that arrives after its time is refused, and stores nothing (M4)', async () => {
  const { sessionId, press, sent, go, pit } = await pressScene()
  await press('Fuel', randomUUID())
  const late = (commandId: string) =>
    scene.ana.call.messages.set({
      sessionId,
      type: 'Go',
      commandId,
      validUntil: Date.now() - 1,
    })
  const refusal = { code: 'invalid-input', detail: 'too-late' }
  await expect(late(go)).rejects.toMatchObject(refusal)
  await expect(late(go)).rejects.toMatchObject(refusal)
  expect(await sent()).toEqual(['Fuel'])
  // Sent again, with a new time.
  const again = { sessionId, type: 'Go', commandId: go } as const
  const validUntil = Date.now() + 20_000
  expect(await scene.ana.call.messages.set({ ...again, validUntil })).toMatchObject({ version: 2 })
  const message = await press('Pit', pit)
  // It was stored in time, so it is accepted again.
  expect(await late(go)).toEqual(message)
  expect(await sent()).toEqual(['Fuel', 'Go', 'Pit'])
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'a command that waits while it is superseded stores nothing (M4)',
  async () => {
    const { sessionId, press, sent, go, pit } = await pressScene()
    const { db, commandDb } = scene.app.database
    const send = { sessionId, type: 'Pit', commandId: pit, supersedes: [go] } as const
    const { late } = await commandDb.transaction().execute(async trx => {
      await storeNext(trx, scene.ana.id, send, systemClock)
      const running = press('Go', go)
      await expect.poll(() => waitingFor(db)).toBe(1)
      return { late: running }
    })
    expect(await late).toMatchObject({ type: 'Pit' })
    expect(await sent()).toEqual(['Pit'])
  },
)
