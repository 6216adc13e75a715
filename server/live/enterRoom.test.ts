import { setImmediate as nextTick } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Down } from '#contract/live.ts'
import { type HandlerScene, handlerScene } from '#testing/live/handlerScene.ts'
import { maxHeldEvents } from './publish/room.ts'

let scene: HandlerScene

beforeEach(async () => {
  scene = await handlerScene()
})
afterEach(() => scene[Symbol.asyncDispose]())

test('a non-member receives nothing while their access is checked (R2, R3)', async () => {
  const { room, session } = scene
  const stranger = await scene.connect({ isMember: false })
  const member = await scene.connect({ isMember: true })
  member.send({ t: 'subscribe', room })
  await member.waitFor('snapshot')

  await holdingDatabase(async () => {
    for (const at of [room, `team:${scene.team}`, `user:${member.userId}`] as const)
      stranger.send({ t: 'subscribe', room: at })
    await publishAll()
    stranger.send({ t: 'heartbeat', at: 1 })
    expect(await stranger.waitFor('heartbeat')).toMatchObject({ versions: {} })
  })
  await member.waitFor('message')
  for (let refused = 0; refused < 3; )
    refused = (await nextTick(), stranger.received.filter(({ t }) => t === 'refused').length)

  expect(typesOf(stranger.received)).toEqual([
    'welcome',
    'heartbeat',
    'refused',
    'refused',
    'refused',
  ])
  expect(typesOf(member.received)).toContain('fix')
  expect(session).not.toBe('')
})

test('events published while a member enters follow the snapshot (R3)', async () => {
  const member = await scene.connect({ isMember: true })
  const openBus = scene.holdBus()
  const subscribed = scene.busRequested()
  member.send({ t: 'subscribe', room: scene.room })
  await subscribed
  // Before the read: the snapshot contains these.
  await publishAll()
  member.send({ t: 'heartbeat', at: 1 })
  expect(await member.waitFor('heartbeat')).toMatchObject({ versions: {} })
  scene.onRead(() => scene.live.publish(scene.room, testFlash(2)))
  openBus()
  await member.waitFor('test')

  expect(typesOf(member.received)).toEqual(['welcome', 'heartbeat', 'snapshot', 'test'])
  expect(member.received.at(-1)).toMatchObject({ at: 2 })
})

test('a member removed while entering receives only a refusal (R4)', async () => {
  const { room, team } = scene
  const member = await scene.connect({ isMember: true })
  const openBus = scene.holdBus()
  const subscribed = scene.busRequested()
  member.send({ t: 'subscribe', room })
  await subscribed
  await scene.open.db.deleteFrom('team_access').where('user_id', '=', member.userId).execute()
  scene.live.evict(team, member.userId)
  await publishAll()
  openBus()

  expect(await member.waitFor('refused')).toMatchObject({ room, code: 'not-a-member' })
  expect(typesOf(member.received)).toEqual(['welcome', 'refused'])
})

test('a snapshot read before an eviction is read again (R4)', async () => {
  const { room, team } = scene
  const member = await scene.connect({ isMember: true })
  let reads = 0
  scene.onRead(() => {
    reads += 1
    if (reads === 1) scene.live.evict(team, member.userId)
  })
  member.send({ t: 'subscribe', room })
  await member.waitFor('snapshot')
  expect(reads).toBe(2)
})

test('a snapshot is read again if more events follow than can be held back (R3)', async () => {
  const member = await scene.connect({ isMember: true })
  let reads = 0
  scene.onRead(() => {
    reads += 1
    const events = reads === 1 ? maxHeldEvents + 1 : 1
    for (let n = 1; n <= events; n++) scene.live.publish(scene.room, testFlash(n))
  })
  member.send({ t: 'subscribe', room: scene.room })
  await member.waitFor('test')
  expect(reads).toBe(2)
  expect(typesOf(member.received)).toEqual(['welcome', 'snapshot', 'test'])
})

test('a subscriber receives events while another snapshot of the room is read (R3)', async () => {
  const member = await scene.connect({ isMember: true })
  member.send({ t: 'subscribe', room: scene.room })
  await member.waitFor('snapshot')
  const openBus = scene.holdBus()
  const subscribed = scene.busRequested()
  member.send({ t: 'subscribe', room: scene.room })
  await subscribed
  scene.live.publish(scene.room, testFlash(1))
  await member.waitFor('test')
  expect(typesOf(member.received)).toEqual(['welcome', 'snapshot', 'test'])
  openBus()
  while (typesOf(member.received).length < 4) await nextTick()
})

/** Blocks all database reads, of access rights and snapshots, while `act` runs. */
async function holdingDatabase(act: () => Promise<void>) {
  await scene.open.db.transaction().execute(async trx => {
    await trx.schema.alterTable('memberships').addColumn('held', 'integer').execute()
    await act()
  })
}

/** Publishes a message, a receipt and a position to the session's room, and a new session to the team's. */
async function publishAll() {
  const { live, room, session } = scene
  const at = 1_700_000_000_000
  live.publish(room, {
    t: 'message',
    session,
    message: {
      version: 1,
      type: 'Pit',
      pressedAt: at,
      sentAt: at,
      sentBy: null,
      reachedAt: null,
      shownAt: null,
      copiedAt: null,
      expiresAt: null,
    },
  })
  live.publish(room, {
    t: 'receipt',
    session,
    version: 1,
    receipt: { reachedAt: at, shownAt: null, copiedAt: null },
  })
  live.publish(room, { t: 'fix', s: session, c: at, at, la: 50.4, lo: 5.9, v: 120, ac: 4 })
  live.publish(`team:${scene.team}`, { t: 'session-ended', team: scene.team, session })
  await nextTick()
}

function testFlash(at: number): Down {
  return { t: 'test', session: scene.session, at }
}

function typesOf(frames: readonly Down[]): string[] {
  return frames.map(({ t }) => t)
}
