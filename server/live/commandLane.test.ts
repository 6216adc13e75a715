import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Far more queries than the database runs while one command passes. */
const queuedQueries = 200

/** Fills the queue of ordinary queries; `done` counts the finished ones. */
function fillQueue() {
  const queue = { done: 0, drained: Promise.resolve<unknown>(undefined) }
  const slow = sql`select count(*) from generate_series(1, 20000)`
  queue.drained = Promise.all(
    Array.from({ length: queuedQueries }, async () => {
      await slow.execute(scene.app.database.db)
      queue.done += 1
    }),
  )
  return queue
}

test('a message and its receipts overtake all other database work', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(scene.ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  for (const each of [pit, car]) each.keepAlive()

  const queue = fillQueue()
  // A snapshot of the driver's own connection is queued too, and must not delay its receipts.
  car.send({ t: 'subscribe', room: `team:${session.teamId}` })
  await scene.ana.call.messages.set({
    sessionId: session.id,
    type: 'Pit',
    commandId: randomUUID(),
  })
  const { message } = await car.next('message')
  car.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
  await pit.next('receipt')

  expect(queue.done).toBeLessThan(queuedQueries)
  await queue.drained
  expect((await car.next('snapshot')).room).toBe(`team:${session.teamId}`)
})
