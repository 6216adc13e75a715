import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerKind } from '#contract/answers.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

async function problemScene() {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const pit = await subscribedConnection(ana, `session:${sessionId}`)
  const car = await scene.drivingConnection(sessionId)
  const report = async (kind: AnswerKind) => {
    const id = randomUUID()
    car.send({ t: 'answer', id, kind, version: 0, at: Date.now() })
    await pit.next('answer', ({ answer }) => answer.id === id)
    return (await car.next('answer', ({ answer }) => answer.id === id)).answer
  }
  const problem = await report('Problem')
  const press = { sessionId, answerId: problem.id }
  return { sessionId, pit, car, report, problem, press }
}

test('a member gets a problem: car, team, log and later screens know it (A7)', async () => {
  const { sessionId, pit, car, problem, press } = await problemScene()
  const got = await ana.call.messages.gotIt(press)
  expect(got).toEqual({
    ...problem,
    gotIt: { by: 'Ana', at: expect.any(Number), number: 2 },
  })
  expect((await pit.next('answer')).answer).toEqual(got)
  expect((await car.next('answer')).answer).toEqual(got)
  expect(await leo.call.sessions.get({ sessionId })).toMatchObject({ answer: got, problem: got })
  expect(await ana.call.messages.log({ sessionId })).toMatchObject([{ answers: [got] }])
  const late = await subscribedConnection(ana, `session:${sessionId}`)
  late.send({ t: 'heartbeat', at: 0 })
  expect((await late.next('heartbeat')).answers).toEqual({ [sessionId]: 2 })
})

test('the first of two presses counts, and each is answered with it (A7)', async () => {
  const { pit, press } = await problemScene()
  const answers = await Promise.all([
    leo.call.messages.gotIt(press),
    ana.call.messages.gotIt(press),
  ])
  expect(answers[1]).toEqual(answers[0])
  expect((await pit.next('answer')).answer).toEqual(answers[0])
  expect((await pit.next('answer')).answer).toEqual(answers[0])
})

test('a problem that was taken back before is not got', async () => {
  const { report, problem, press } = await problemScene()
  await report('TakenBack')
  expect(await ana.call.messages.gotIt(press)).toEqual(problem)
})

test('it can be taken back after a member has got it, and another one is new', async () => {
  const { sessionId, report, press } = await problemScene()
  await ana.call.messages.gotIt(press)
  expect(await report('TakenBack')).toMatchObject({ number: 3 })
  const again = await report('Problem')
  expect(again).toMatchObject({ number: 4 })
  expect(again.gotIt).toBeUndefined()
  expect((await ana.call.sessions.get({ sessionId })).problem).toEqual(again)
})

test('a phone that repeats a problem learns that it was got, and no event follows', async () => {
  const { sessionId, car, problem, press } = await problemScene()
  const got = await ana.call.messages.gotIt(press)
  await car.next('answer')
  const { id, kind, version, at } = problem
  car.send({ t: 'answer', id, kind, version, at })
  expect((await car.next('answer')).answer).toEqual(got)
  const { teamId } = await ana.call.sessions.get({ sessionId })
  const events = await ana.call.notifications.list({ teamId })
  expect(events.filter(each => each.kind === 'problem')).toHaveLength(1)
})

test('nobody gets a problem of an ended session, or an answer that is none', async () => {
  const { sessionId, report, press } = await problemScene()
  const yes = await report('Yes')
  await expect(ana.call.messages.gotIt({ sessionId, answerId: yes.id })).rejects.toMatchObject({
    code: 'not-found',
  })
  await leo.call.sessions.end({ sessionId })
  await expect(ana.call.messages.gotIt(press)).rejects.toMatchObject({ code: 'session-ended' })
})
