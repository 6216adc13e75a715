import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageType } from '#contract/messages.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { createLog } from '#server/log.ts'
import { stoppedClock } from '#testing/clock.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { clearObeyed } from './clearObeyed.ts'

const clock = stoppedClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A car whose driver stops after a message was sent, and then leaves a pit lane. */
async function stopAfter({
  type = 'Pit',
  ask = false,
  isSentInPits = false,
  knowsLane = true,
}: {
  type?: MessageType
  ask?: boolean
  isSentInPits?: boolean
  knowsLane?: boolean
} = {}) {
  const { db, commandDb } = scene.app.database
  const { session, team } = await scene.newSession()
  const sessionId = session.id
  const places = zolder.outline.map(({ latitude, longitude }): [number, number] => [
    latitude,
    longitude,
  ])
  const [line, pitIn, pitOut] = places as [[number, number], [number, number], [number, number]]
  const id = randomUUID()
  const lane = knowsLane && { pit_in: JSON.stringify(pitIn), pit_out: JSON.stringify(pitOut) }
  await db
    .insertInto('circuits')
    .values({
      team_id: team.id,
      id,
      name: 'Zolder',
      source: 'learned',
      learned_in: null,
      deleted_at: null,
    })
    .execute()
  await db
    .insertInto('circuit_versions')
    .values({
      team_id: team.id,
      circuit_id: id,
      version: 1,
      change: 'created',
      outline: JSON.stringify(places),
      line: JSON.stringify(line),
      line_source: 'tapped',
      line_error_m: null,
      pit_in: null,
      pit_out: null,
      ...lane,
      length_m: 4000,
      direction: 'clockwise',
      laps: 1,
      error_m: 1,
    })
    .execute()
  await db
    .updateTable('sessions')
    .set({ circuit_id: id, circuit_version: 1 })
    .where('id', '=', sessionId)
    .execute()
  const send = () => scene.ana.call.messages.set({ sessionId, type, ask, commandId: randomUUID() })
  if (!isSentInPits) await send()
  clock.pass(10_000)
  const startedAt = clock.now()
  clock.pass(60_000)
  if (isSentInPits) await send()
  const visit = { session_id: sessionId, started_at: new Date(startedAt) }
  await db
    .insertInto('pit_visits')
    .values({ ...visit, ended_at: null })
    .execute()
  const log = createLog('info', { write: () => undefined })
  const live = { publish: () => undefined } as never
  const clear = () => clearObeyed({ db, commandDb, readDb: db, clock, log, live }, sessionId)
  await clear()
  const inPits = (await scene.ana.call.sessions.get({ sessionId })).message
  clock.pass(60_000)
  await db
    .updateTable('pit_visits')
    .set({ ended_at: new Date(clock.now()) })
    .where('session_id', '=', sessionId)
    .execute()
  await clear()
  const after = (await scene.ana.call.sessions.get({ sessionId })).message
  return { sessionId, inPits, after, clear }
}

test.each(['Pit', 'Fuel'] as const)('%s is cleared once at the pit exit (M12)', async type => {
  const { sessionId, inPits, after, clear } = await stopAfter({ type })
  expect(inPits.type).toBe(type)
  expect(after).toMatchObject({ version: 2, type: null, sentBy: null, obeyed: true })
  await clear()
  const log = await scene.ana.call.messages.log({ sessionId })
  expect(log.map(each => each.version)).toEqual([2, 1])
  expect(log[0]).toMatchObject({ type: null, sentBy: null, obeyed: true })
})

test.each([
  ['an order that was sent in the pits', { isSentInPits: true }],
  ['an order to a car whose pit lane is not known', { knowsLane: false }],
  ['a question', { ask: true }],
  ['another message', { type: 'Push' }],
] as const)('%s stays (M12)', async (_, scenario) => {
  const { after } = await stopAfter(scenario)
  expect(after).toMatchObject({ version: 1 })
})
