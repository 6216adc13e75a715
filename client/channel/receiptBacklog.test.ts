import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Down } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { heartbeatIntervalMs } from '#contract/shared/liveRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { testClock } from '#testing/clock.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import { channelScreen } from '#testing/live/channelScreen.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { patience } from '#testing/patience.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { receiptsKey } from '../storedKeys.ts'
import { Channel } from './channel.ts'
import { receiptsPerHeartbeat } from './receiptSender.ts'
import { DueReceipts } from './receipts.ts'

const waitOptions = { timeout: 20_000 * patience, interval: 5 }
const messages = 75

/** The virtual time of server and phone, so that the test need not wait for heartbeats and limits. */
let passedMs = 0
const clock: Clock = { ...testClock, monotonicMs: () => testClock.monotonicMs() + passedMs }

let app: TestApp

beforeAll(async () => {
  app = await testApp({}, undefined, clock)
})
afterAll(() => app[Symbol.asyncDispose]())

test('a backlog of receipts is stored without a refusal (S4, L6)', async () => {
  const [ana, leo] = [await app.person('Ana'), await app.person('Leo')]
  const team = await createTeam(ana, [leo], 'Night Owls')
  const { id: sessionId } = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const texts = new Map<string, string>()
  const store = memoryTextStore(texts)
  const earlier = new DueReceipts(store, leo.id, () => undefined)
  for (let version = 1; version <= messages; version++) {
    passedMs += 1000
    await ana.call.messages.set({ sessionId, type: 'Go', commandId: randomUUID() })
    for (const stage of ['reached', 'shown'] as const)
      earlier.add({ sessionId, version, stage, at: clock.now() })
  }

  // Only `wake` sends heartbeats: on a busy machine a timer would send another one within the same virtual time.
  const phoneClock = { ...heldClock(), monotonicMs: clock.monotonicMs }
  const received: Down[] = []
  const car = channelScreen(Channel, app.url, leo, {
    store,
    clock: phoneClock,
    onFrame: frame => void received.push(frame),
  })
  const stopDriving = car.channel.drive(sessionId, () => undefined)
  const left = () => (JSON.parse(texts.get(receiptsKey) ?? '[]') as unknown[]).length
  for (let before = left(); left() > 0; before = left()) {
    const rest = Math.max(0, before - receiptsPerHeartbeat)
    await vi.waitFor(() => expect(left()).toBeLessThanOrEqual(rest), waitOptions)
    passedMs += heartbeatIntervalMs
    car.wake()
  }
  expect(received.filter(({ t }) => t === 'refused')).toEqual([])
  const settled = received.flatMap(frame => (frame.t === 'receipt' ? [frame.version] : []))
  expect(settled[0]).toBe(messages)
  const log = await ana.call.messages.log({ sessionId })
  expect(log.map(({ shownAt }) => shownAt)).not.toContain(null)
  expect(log).toHaveLength(messages)
  stopDriving()
  car.channel.stop()
})
