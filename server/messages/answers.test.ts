import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UpOf } from '#contract/live.ts'
import type { MessageType } from '#contract/messages.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'
import { maxStoredAnswers } from './answers.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

function ask(sessionId: string, type: MessageType | null, asks = true) {
  return ana.call.messages.set({ sessionId, type, ask: asks, commandId: randomUUID() })
}

function answer(values: Partial<UpOf<'answer'>> = {}): UpOf<'answer'> {
  return { t: 'answer', id: randomUUID(), kind: 'Yes', version: 1, at: Date.now(), ...values }
}

async function askedScene() {
  const { session, team } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const question = await ask(session.id, 'Pit')
  return { session, team, pit, car, question }
}

test('a question reaches the car, its answer the team, log and CSV (A1, A2)', async () => {
  const { session, pit, car, question } = await askedScene()
  expect(question).toMatchObject({ version: 1, type: 'Pit', ask: true })
  expect(question).toMatchObject((await car.next('message')).message)

  const given = answer({ at: Date.now() - 500 })
  car.send(given)
  const published = (await pit.next('answer')).answer
  expect(published).toEqual({
    id: given.id,
    number: 1,
    kind: 'Yes',
    version: 1,
    question: { type: 'Pit' },
    at: given.at,
    receivedAt: expect.any(Number),
  })
  expect((await car.next('answer')).answer).toEqual(published)
  expect(await leo.call.sessions.get({ sessionId: session.id })).toMatchObject({
    message: { ask: true },
    answer: published,
  })
  const log = await leo.call.messages.log({ sessionId: session.id })
  expect(log).toMatchObject([{ version: 1, ask: true, answers: [published] }])
  const csv = await fetch(`${scene.app.url}/api/v1/sessions/${session.id}/messages.csv`, {
    headers: { cookie: ana.jar.header },
  })
  const [head, row] = (await csv.text()).split('\r\n')
  expect(head).toMatch(/,asked,answers,answered,carried over,got it,got it by,by plan$/)
  expect(row).toMatch(new RegExp(`,yes,Yes,${new Date(given.at).toISOString()},,,,$`))
})

test('a repeated answer is stored once and published again (A2)', async () => {
  const { session, pit, car } = await askedScene()
  const given = answer({ kind: 'No' })
  for (const at of [given.at, given.at + 1, 0]) car.send({ ...given, at })
  const first = await pit.next('answer')
  expect(await pit.next('answer')).toEqual(first)
  expect(await pit.next('answer')).toEqual(first)
  const [asked] = await ana.call.messages.log({ sessionId: session.id })
  expect(asked?.answers).toEqual([first.answer])
})

test('a problem is known until it is taken back, whatever is answered in between', async () => {
  const { session, pit, car } = await askedScene()
  for (const kind of ['Problem', 'Yes', 'PitThisLap'] as const) car.send(answer({ kind }))
  await pit.next('answer', each => each.answer.kind === 'PitThisLap')
  const state = () => ana.call.sessions.get({ sessionId: session.id })
  expect(await state()).toMatchObject({
    answer: { number: 3, kind: 'PitThisLap' },
    problem: { number: 1, kind: 'Problem' },
  })
  car.send(answer({ kind: 'TakenBack' }))
  await pit.next('answer', each => each.answer.kind === 'TakenBack')
  expect(await state()).toMatchObject({ problem: { number: 4, kind: 'TakenBack' } })
})

test('a reply to the current message is known after a problem that is taken back (A5)', async () => {
  const { session, pit, car } = await askedScene()
  for (const kind of ['No', 'Yes', 'Problem', 'TakenBack'] as const) car.send(answer({ kind }))
  await pit.next('answer', ({ answer: { kind } }) => kind === 'TakenBack')
  const read = () => leo.call.sessions.get({ sessionId: session.id })
  expect(await read()).toMatchObject({
    answer: { kind: 'TakenBack' },
    reply: { kind: 'Yes', number: 2, version: 1 },
  })
  await ask(session.id, 'Pit')
  expect((await read()).reply).toBeUndefined()
})

test('a problem before the first message is in the log as version 0', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  car.send(answer({ kind: 'Problem', version: 0 }))
  const { answer: reported } = await car.next('answer')
  expect(reported.question).toBeUndefined()
  expect(await ana.call.messages.log({ sessionId: session.id })).toMatchObject([
    { version: 0, type: null, sentBy: null, answers: [reported] },
  ])
  await ask(session.id, 'Go', false)
  expect(
    (await ana.call.messages.log({ sessionId: session.id })).map(each => each.version),
  ).toEqual([1, 0])
})

test('the time of an answer is never in the future, and at most a day old (A3)', async () => {
  const { pit, car } = await askedScene()
  car.send(answer({ at: Date.now() + 3_600_000 }))
  expect((await pit.next('answer')).answer.at).toBeLessThanOrEqual(Date.now())
  car.send(answer({ at: 0 }))
  expect((await pit.next('answer')).answer.at).toBeGreaterThan(Date.now() - 25 * 3_600_000)
})

test.each(['FCY', 'SC', 'Abort', null] as const)('%s cannot be asked', async type => {
  const { session } = await scene.newSession()
  await expect(ask(session.id, type)).rejects.toMatchObject({ code: 'invalid-input' })
})

test('an answer to an order, or to a version that was never sent, has no question (A4)', async () => {
  const { session, car } = await askedScene()
  await ask(session.id, 'Go', false)
  for (const version of [2, 3]) {
    car.send(answer({ version }))
    const published = (await car.next('answer')).answer
    expect(published).toMatchObject({ kind: 'Yes', version: 2 })
    expect(published.question).toBeUndefined()
  }
})

test('only the phone in the car answers, and only until the session ends (A4)', async () => {
  const { session, pit, car } = await askedScene()
  pit.send(answer())
  expect(await pit.next('refused')).toMatchObject({ re: 'answer', code: 'not-the-driver' })
  await leo.call.sessions.end({ sessionId: session.id })
  car.send(answer())
  expect(await car.next('refused')).toMatchObject({ re: 'answer', code: 'session-ended' })
})

test('answers have a rate limit of their own (L6)', async () => {
  const { car } = await askedScene()
  for (let n = 0; n < 30; n++) car.send(answer({ kind: 'Problem' }))
  expect(await car.next('refused')).toMatchObject({ re: 'answer', code: 'too-many' })
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  await car.next('receipt')
})

test('a heartbeat repeats the number of the newest answer of a session (A5)', async () => {
  const { session, pit, car } = await askedScene()
  pit.send({ t: 'heartbeat', at: 1 })
  expect((await pit.next('heartbeat')).answers).toBeUndefined()
  car.send(answer())
  await pit.next('answer')
  await pit.subscribe(`session:${session.id}`)
  pit.send({ t: 'heartbeat', at: 2 })
  expect((await pit.next('heartbeat')).answers).toEqual({ [session.id]: 1 })
})

test('a full session drops its oldest answers, but not the reported problem', async () => {
  const { session, pit, car } = await askedScene()
  const give = async (kind: 'Yes' | 'No' | 'Problem') => {
    car.send(answer({ kind }))
    return (await pit.next('answer')).answer.number
  }
  await give('Yes')
  const problem = await give('Problem')
  const { db } = scene.app.database
  const stored = maxStoredAnswers - 1
  const rows = Array.from({ length: maxStoredAnswers - 3 }, (_, index) => ({
    session_id: session.id,
    id: randomUUID(),
    number: index + 3,
    kind: 'Yes' as const,
    version: 1,
    answered_at: new Date(),
    received_at: new Date(),
  }))
  for (let first = 0; first < rows.length; first += 1000)
    await db
      .insertInto('answers')
      .values(rows.slice(first, first + 1000))
      .execute()
  await db
    .updateTable('sessions')
    .set({ answer_number: stored })
    .where('id', '=', session.id)
    .execute()
  const numbers = () =>
    db
      .selectFrom('answers')
      .select('number')
      .where('session_id', '=', session.id)
      .orderBy('number')
      .limit(2)
      .execute()
  await give('No')
  expect(await numbers()).toEqual([{ number: 1 }, { number: problem }])
  await give('No')
  expect(await numbers()).toEqual([{ number: problem }, { number: 3 }])
  await give('No')
  await give('No')
  expect(await numbers()).toEqual([{ number: problem }, { number: 4 }])
  expect(await leo.call.sessions.get({ sessionId: session.id })).toMatchObject({
    answer: { number: maxStoredAnswers + 3 },
    problem: { number: problem },
  })
})
