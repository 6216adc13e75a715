import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import type { Answer } from '#contract/answers.ts'
import type { Up } from '#contract/live.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { limitedTextStore, memoryTextStore } from '#testing/files/textStore.ts'
import {
  type ChannelScene,
  channelScene,
  messageOf,
  room,
  sessionId,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from '../channel/channel.ts'
import { answersKey } from '../storedKeys.ts'
import type { TextStore } from '../textStore.ts'
import { DriverAnswers } from './driverAnswers.ts'

let scene: ChannelScene
let reports: string[]
afterEach(() => scene.close())

const asked = messageOf({ version: 3, type: 'Pit', ask: true })

/** Opens a page on the phone in the car. A second page with the same store is a reload. */
async function openPage(store: TextStore) {
  scene = await channelScene(Channel, store)
  reports = []
  const { channel } = scene
  const answers = new DriverAnswers({
    channel,
    sessionId,
    store,
    newId: randomUUID,
    report: problem => reports.push(problem),
  })
  channel.follow(sessionId, () => undefined)
  channel.drive(sessionId, () => undefined)
  answers.start()
  return answers
}

async function drive() {
  const peer = await scene.connect()
  await peer.acceptDrive(asked)
  await scene.receivedByChannel(peer)
  return peer
}

type Peer = Awaited<ReturnType<typeof drive>>

function framesOf({ received }: Peer, t: Up['t']): Up[] {
  return received.filter(frame => frame.t === t)
}

function stored(values: Partial<Answer>): Answer {
  return { id: randomUUID(), number: 1, kind: 'Yes', version: 3, at: 1, receivedAt: 2, ...values }
}

test('an answer is hollow until the server has it, and then leaves the phone (A5)', async () => {
  const store = memoryTextStore()
  const answers = await openPage(store)
  const peer = await drive()
  const id = answers.give('Yes', 3)
  expect(await peer.next('answer')).toMatchObject({ id, kind: 'Yes', version: 3 })
  expect(answers.state.newest).toEqual({ id, kind: 'Yes', version: 3, isStored: false })
  peer.send({ t: 'answer', session: sessionId, answer: stored({ id: id ?? '' }) })
  await until(() => answers.state.newest?.isStored === true)
  expect(answers.due).toEqual([])
  expect(store.read(answersKey)).toBeNull()
})

test('answers given offline are sent one by one after a reload, under their ids (A5)', async () => {
  const store = memoryTextStore()
  const before = await openPage(store)
  const first = await drive()
  first.close(CloseCode.goingAway)
  await until(() => scene.channel.connectionState.status === 'lost')
  const ids = [before.give('No', 3), before.give('Problem', 3)]
  scene.close()

  const after = await openPage(store)
  expect(after.state.problem).toMatchObject({ id: ids[1], isStored: false })
  const peer = await drive()
  expect((await peer.next('answer')).id).toBe(ids[0])
  await scene.receivedByChannel(peer)
  expect(framesOf(peer, 'answer')).toEqual([])
  peer.send({ t: 'answer', session: sessionId, answer: stored({ id: ids[0] ?? '' }) })
  expect((await peer.next('answer')).id).toBe(ids[1])
})

test('answers deleted as the user signs out are not stored again', async () => {
  const store = memoryTextStore()
  const answers = await openPage(store)
  const peer = await drive()
  const first = answers.give('No', 3)
  answers.give('Problem', 3)
  await peer.next('answer')
  store.remove(answersKey)
  peer.send({ t: 'answer', session: sessionId, answer: stored({ id: first }) })
  await scene.receivedByChannel(peer)
  expect(answers.due).toEqual([])
  expect(store.read(answersKey)).toBeNull()
})

test("while the device's storage is full, no answer is lost and none is sent twice", async () => {
  const store = limitedTextStore()
  const answers = await openPage(store)
  const peer = await drive()
  const due = () => answers.due.map(({ id }) => id)
  const first = answers.give('No', 3)
  store.isFull = true
  const second = answers.give('Problem', 3)
  peer.send({ t: 'answer', session: sessionId, answer: stored({ id: first }) })
  await until(() => !due().includes(first))
  const third = answers.give('TakenBack', 3)
  expect(due()).toEqual([second, third])
  store.isFull = false
  const fourth = answers.give('Yes', 3)
  const inStore = JSON.parse(store.read(answersKey) ?? '[]') as Answer[]
  expect(inStore.map(({ id }) => id)).toEqual([second, third, fourth])
})

test('an answer without a response is sent again, at the earliest after 1 s (A5)', async () => {
  const answers = await openPage(memoryTextStore())
  const peer = await drive()
  const id = answers.give('PitThisLap', 3)
  await peer.next('answer')
  const sendHeartbeat = async () => {
    peer.send({ t: 'heartbeat', at: 1, now: Date.now(), versions: { [sessionId]: 3 } })
    await scene.receivedByChannel(peer)
  }
  await sendHeartbeat()
  expect(framesOf(peer, 'answer')).toEqual([])
  vi.advanceTimersByTime(1000)
  await sendHeartbeat()
  expect(await peer.next('answer')).toMatchObject({ id, kind: 'PitThisLap' })
})

test('an answer that the server never accepts does not hold up later ones', async () => {
  const answers = await openPage(memoryTextStore())
  const peer = await drive()
  answers.give('Yes', 3)
  const second = answers.give('No', 3)
  await peer.next('answer')
  peer.send({ t: 'refused', re: 'answer', code: 'invalid-input', message: '' })
  expect(await peer.next('answer')).toMatchObject({ id: second, kind: 'No' })
  expect(answers.due.map(({ id }) => id)).toEqual([second])
  expect(reports).toHaveLength(1)
})

test('a problem stays until it is taken back, also after other answers', async () => {
  const answers = await openPage(memoryTextStore())
  await drive()
  answers.give('Problem', 3)
  answers.give('Yes', 3)
  expect(answers.state).toMatchObject({ newest: { kind: 'Yes' }, problem: { kind: 'Problem' } })
  answers.give('TakenBack', 3)
  expect(answers.state).toMatchObject({ newest: { kind: 'TakenBack' }, problem: null })
})

test('a Yes stays known after a problem that is taken back (A5)', async () => {
  const answers = await openPage(memoryTextStore())
  const peer = await drive()
  for (const kind of ['Yes', 'Problem', 'TakenBack'] as const) answers.give(kind, 3)
  expect(answers.state).toMatchObject({ problem: null, reply: { kind: 'Yes', isStored: false } })
  const { id } = answers.state.reply ?? {}
  peer.send({ t: 'answer', session: sessionId, answer: stored({ id: id ?? '' }) })
  peer.send({ t: 'answer', session: sessionId, answer: stored({ number: 3, kind: 'TakenBack' }) })
  await scene.receivedByChannel(peer)
  expect(answers.state.reply).toMatchObject({ id, kind: 'Yes', isStored: true })
})

test('a late event with a lower number is ignored, a higher number requested (A5)', async () => {
  const answers = await openPage(memoryTextStore())
  const peer = await drive()
  for (const number of [2, 1])
    peer.send({ t: 'answer', session: sessionId, answer: stored({ number, version: number }) })
  await scene.receivedByChannel(peer)
  expect(answers.state.newest).toMatchObject({ version: 2 })
  const ofSession = () =>
    peer.received.filter(frame => frame.t === 'subscribe' && frame.room === room).length
  const before = ofSession()
  peer.send({
    t: 'heartbeat',
    at: 1,
    now: Date.now(),
    versions: { [sessionId]: 3 },
    answers: { [sessionId]: 3 },
  })
  await scene.receivedByChannel(peer)
  expect(ofSession()).toBe(before + 1)
})

test('answers of an ended session are dropped and reported', async () => {
  const store = memoryTextStore()
  const answers = await openPage(store)
  const peer = await drive()
  answers.give('Problem', 3)
  peer.send({ t: 'session-ended', team: 't1', session: sessionId })
  await until(() => answers.due.length === 0)
  expect(reports).toEqual(['Answers were dropped: the session has ended'])
  expect(store.read(answersKey)).toBeNull()
})
