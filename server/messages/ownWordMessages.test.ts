import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const box = { id: randomUUID(), text: 'BOX 2', colour: 'push' } as const

async function sessionWithWord() {
  const { team, session } = await scene.newSession()
  const word = { ...box, id: randomUUID() }
  await scene.ana.call.words.save({ teamId: team.id, word })
  const send = (type: string | null, more: { ask?: boolean; commandId?: string } = {}) =>
    scene.ana.call.messages.set({
      sessionId: session.id,
      type,
      commandId: randomUUID(),
      ...more,
    })
  return { team, session, word, send }
}

test('a word is sent with its colour, and expires as EASY does', async () => {
  const { session, send } = await sessionWithWord()
  const car = await scene.drivingConnection(session.id)
  await scene.ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 120 })
  const sent = await send('BOX 2')
  expect(sent).toMatchObject({ type: 'BOX 2', colour: 'push' })
  expect(sent.expiresAt! - sent.sentAt!).toBe(120_000)
  expect(sent).toMatchObject((await car.next('message')).message)
})

test('a later change of the word changes no message on a screen or in the log', async () => {
  const { team, session, word, send } = await sessionWithWord()
  await send('BOX 2')
  await scene.ana.call.words.save({
    teamId: team.id,
    word: { ...word, text: 'BOX 3', colour: 'go' },
  })
  const { message } = await scene.leo.call.sessions.get({ sessionId: session.id })
  expect(message).toMatchObject({ type: 'BOX 2', colour: 'push' })
  await scene.ana.call.words.remove({ teamId: team.id, wordId: word.id })
  await send('Pit')
  const log = await scene.leo.call.messages.log({ sessionId: session.id })
  expect(log).toMatchObject([{ type: 'Pit' }, { type: 'BOX 2', colour: 'push' }])
  expect(log[0]).not.toHaveProperty('colour')
  const csv = await fetch(`${scene.app.url}/api/v1/sessions/${session.id}/messages.csv`, {
    headers: { cookie: scene.leo.jar.header },
  })
  expect(await csv.text()).toContain('\r\n1,BOX 2,')
})

test('a word that the team does not have is refused, and nothing is sent', async () => {
  const { session, send } = await sessionWithWord()
  for (const type of ['BOX 3', 'box 2', 'pit', 'Code60', 'BOX\u0000'])
    await expect(send(type)).rejects.toMatchObject({
      code: 'invalid-input',
      detail: 'word-unknown',
    })
  await expect(send('ELEVEN CHAR')).rejects.toMatchObject({ code: 'invalid-input' })
  const { message } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(message.version).toBe(0)
})

test('a command that was stored is not refused after its word was deleted', async () => {
  const { team, word, send } = await sessionWithWord()
  const commandId = randomUUID()
  await send('BOX 2', { commandId })
  await scene.ana.call.words.remove({ teamId: team.id, wordId: word.id })
  expect(await send('BOX 2', { commandId })).toMatchObject({ version: 1, type: 'BOX 2' })
})

test('a word can be asked, and the answer names it', async () => {
  const { session, send } = await sessionWithWord()
  const car = await scene.drivingConnection(session.id)
  await send('BOX 2', { ask: true })
  expect((await car.next('message')).message).toMatchObject({ type: 'BOX 2', ask: true })
  car.send({ t: 'answer', id: randomUUID(), kind: 'Yes', version: 1, at: Date.now() })
  expect((await car.next('answer')).answer).toMatchObject({
    kind: 'Yes',
    question: { type: 'BOX 2' },
  })
})

test('CODE 60 never expires and cannot be asked', async () => {
  const { send } = await sessionWithWord()
  expect(await send('Code 60')).toMatchObject({ type: 'Code 60', expiresAt: null })
  expect(await send('Code 60')).not.toHaveProperty('colour')
  await expect(send('Code 60', { ask: true })).rejects.toMatchObject({ code: 'invalid-input' })
})
