import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { freePort } from '#testing/freePort.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { roundRobin } from '#testing/live/roundRobin.ts'
import { carScene } from './testing/carScene.ts'

let live: LiveScene
beforeAll(async () => {
  live = await liveScene()
})
afterAll(() => live[Symbol.asyncDispose]())

test('a message is reached and shown at once, and acknowledged after a delay', async () => {
  const { startCar, send, team } = await carScene(live)
  const seen: Message[] = []
  const copyAfterMs = 200
  startCar({ copyAfterMs, onMessage: message => seen.push(message) })
  await team.next('fix')
  const version = await send('Pit')
  const { receipt } = await team.next('receipt', each => each.receipt.copiedAt !== null)
  expect(receipt.reachedAt).toBeLessThanOrEqual(receipt.shownAt!)
  expect(receipt.copiedAt! - receipt.shownAt!).toBeGreaterThan(copyAfterMs / 2)
  expect(seen).toMatchObject([{ version, type: 'Pit' }])
})

test('a message replaced before the acknowledgement is not acknowledged', async () => {
  const { startCar, send, team } = await carScene(live)
  startCar({ copyAfterMs: 1000 })
  await team.next('fix')
  const replaced = await send('Pit')
  await team.next('receipt', ({ receipt }) => receipt.shownAt !== null)
  const version = await send('Go')
  const copied = await team.next('receipt', ({ receipt }) => receipt.copiedAt !== null)
  expect(copied.version).toBe(version)
  expect(version).toBeGreaterThan(replaced)
})

test('a cleared message is not acknowledged any more', async () => {
  const { startCar, send, team } = await carScene(live)
  const types: Message['type'][] = []
  startCar({ copyAfterMs: 1000, onMessage: ({ type }) => types.push(type) })
  await team.next('fix')
  await send('Pit')
  await team.next('receipt', ({ receipt }) => receipt.shownAt !== null)
  const cleared = await send(null)
  await team.next('receipt', each => each.version === cleared && each.receipt.shownAt !== null)
  const version = await send('Fuel')
  const copied = await team.next('receipt', ({ receipt }) => receipt.copiedAt !== null)
  expect(copied.version).toBe(version)
  expect(types).toEqual(['Pit', null, 'Fuel'])
})

test('after a dead zone the car has the newest message and uploads its fixes', async () => {
  const { startCar, send, team, session } = await carScene(live)
  const port = await freePort()
  const network = () => roundRobin([Number(new URL(live.app.url).port)], port)
  const before = await network()
  const problems: string[] = []
  const onProblem = (sentence: string) => problems.push(sentence)
  startCar({ url: before.url, copyAfterMs: 0, onProblem })
  await team.next('fix')
  await before[Symbol.asyncDispose]()
  const lostAt = new Date()
  const version = await send('SC')
  // With backoff, three attempts take at least 0.7 seconds.
  await deadZone(port, 3)
  const backAt = new Date()
  // The next attempt may be seconds away: the team's connection would time out.
  await team.roundTrip()
  await using _after = await network()
  const copied = await team.next('receipt', ({ receipt }) => receipt.copiedAt !== null)
  expect(copied.version).toBe(version)
  expect(problems).toEqual(['Connection lost, reconnecting.'])
  const countInside = async () => {
    const fixes = await live.app.database.db
      .selectFrom('positions')
      .select('at')
      .where('session_id', '=', session.id)
      .where('at', '>', lostAt)
      .where('at', '<', backAt)
      .execute()
    return fixes.length
  }
  await expect.poll(countInside).toBeGreaterThan(2)
})

/** Closes each connection to this port, until there were `attempts` of them. */
async function deadZone(port: number, attempts: number) {
  const server = createServer(socket => socket.destroy()).listen(port, '127.0.0.1')
  for (let count = 0; count < attempts; count++) await once(server, 'connection')
  server.close()
  await once(server, 'close')
}
