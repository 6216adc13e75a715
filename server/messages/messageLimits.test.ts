import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageType } from '#contract/messages.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { systemClock } from '../clock.ts'
import { MessageLimits } from './messageLimits.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a sender over the limit of 60 messages can still send ABORT and clear the screen', async () => {
  const { session } = await scene.newSession()
  const send = sender(scene.ana, session.id)
  const answers = []
  for (let n = 0; n < 75; n++) answers.push(await send('Pit'))

  expect(answers.slice(0, 60)).toEqual(Array(60).fill('sent'))
  expect(answers).toContain('too-many')
  expect([await send('Abort'), await send(null)]).toEqual(['sent', 'sent'])
})

test('a member over the limit does not block other members', async () => {
  const { team, session } = await scene.newSession()
  const noor = await scene.app.person('Noor')
  await addMember(scene.ana, team.id, noor)
  const noorSends = sender(noor, session.id)
  for (let n = 0; n < 70; n++) await noorSends('Go')

  expect(await noorSends('Go')).toBe('too-many')
  expect(await sender(scene.leo, session.id)('Pit')).toBe('sent')
})

test('a session accepts 120 messages at once, and ABORT always', () => {
  const limits = new MessageLimits({ ...systemClock, monotonicMs: () => 0 })
  for (let n = 0; n < 120; n++) {
    expect(limits.allowsSession('s', 'Pit')).toBe(true)
    limits.countSession('s', 'Pit')
  }
  expect(limits.allowsSession('s', 'Pit')).toBe(false)
  expect([limits.allowsSession('s', 'Abort'), limits.allowsSession('s', null)]).toEqual([
    true,
    true,
  ])
})

test('messages over the limit of a session delay the next ones, except ABORT', () => {
  let nowMs = 0
  const limits = new MessageLimits({ ...systemClock, monotonicMs: () => nowMs })
  for (let n = 0; n < 130; n++) limits.countSession('s', 'Pit')
  for (let n = 0; n < 20; n++) limits.countSession('s', 'Abort')
  nowMs = 5400
  expect(limits.allowsSession('s', 'Pit')).toBe(false)
  nowMs = 5500
  expect(limits.allowsSession('s', 'Pit')).toBe(true)
})

test('the reserve of a person is limited too', () => {
  const limits = new MessageLimits({ ...systemClock, monotonicMs: () => 0 })
  for (let n = 0; n < 80; n++) limits.countPerson('ana', 'Abort')
  expect(() => limits.countPerson('ana', 'Abort')).toThrow('many')
  limits.countPerson('leo', 'Abort')
})

function sender(person: Person, sessionId: string) {
  return (type: MessageType | null) =>
    person.call.messages.set({ sessionId, type, commandId: randomUUID() }).then(
      () => 'sent',
      ({ code }: { code: string }) => code,
    )
}
