import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageType } from '#contract/messages.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'
import { addDriver } from '#testing/people/roster.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

function send(sessionId: string, type: MessageType | null) {
  return ana.call.messages.set({ sessionId, type, commandId: randomUUID() })
}

function csv(sessionId: string, who?: Person) {
  return fetch(`${scene.app.url}/api/v1/sessions/${sessionId}/messages.csv`, {
    headers: who ? { cookie: who.jar.header } : {},
  })
}

test('the log has every message with its sender and receipts, newest first', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  const pit = await send(session.id, 'Pit')
  await send(session.id, null)
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  await car.next('receipt')

  const log = await leo.call.messages.log({ sessionId: session.id })
  expect(log).toMatchObject([
    { version: 2, type: null, sentBy: { id: ana.id, firstName: 'Ana' }, shownAt: null },
    { version: 1, type: 'Pit', sentAt: pit.sentAt, shownAt: expect.any(Number), copiedAt: null },
  ])
})

test('the log is available as CSV, only to the team', async () => {
  const { session } = await scene.newSession()
  await send(session.id, 'FCY')
  const stranger = await scene.app.person('Sven')

  const answer = await csv(session.id, leo)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  const [head, line, rest] = (await answer.text()).split('\r\n')
  expect(head).toMatch(/^version,message,sent by,pressed,/)
  expect(line).toMatch(/^1,FCY,Ana Tester,2\d{3}-.*Z,2\d{3}-.*Z,,,,Leo Tester,,,,,,,,$/)
  expect(rest).toBe('')
  const driver = await addDriver(scene.ana, session.teamId, 'Théo Garnier')
  const change = { sessionId: session.id, stintId: randomUUID(), driverId: driver.id }
  await scene.ana.call.stints.add(change)
  await send(session.id, 'Go')
  const [, newest, oldest] = (await (await csv(session.id, leo)).text()).split('\r\n')
  expect(newest).toMatch(/^2,GO,.*,Théo Garnier,,,,,,,,$/i)
  expect(oldest).toBe(line)

  expect((await csv(session.id, stranger)).status).toBe(403)
  expect((await csv(session.id)).status).toBe(401)
  expect((await csv('nonsense', leo)).status).toBe(400)
})

test('a long log is paged, and its CSV file is complete', async () => {
  const { session } = await scene.newSession()
  await scene.app.database.db
    .insertInto('messages')
    .values(
      Array.from({ length: 4001 }, (_, index) => ({
        session_id: session.id,
        version: index + 1,
        command_id: randomUUID(),
        type: 'Go' as const,
        sent_by: ana.id,
        pressed_at: new Date(),
        sent_at: new Date(),
      })),
    )
    .execute()
  const pageOf = async (before?: number) => {
    const page = await ana.call.messages.log({
      sessionId: session.id,
      ...(before !== undefined && { before }),
    })
    return page.map(({ version }) => version)
  }
  const countDown = (from: number, length: number) => Array.from({ length }, (_, n) => from - n)
  expect(await pageOf()).toEqual(countDown(4001, pages.messages))
  expect(await pageOf(3902)).toEqual(countDown(3901, pages.messages))
  expect(await pageOf(4)).toEqual([3, 2, 1])
  expect(await pageOf(1)).toEqual([])
  const versions = (await (await csv(session.id, ana)).text())
    .trim()
    .split('\r\n')
    .slice(1)
    .map(line => Number(line.split(',')[0]))
  expect(versions).toEqual(Array.from({ length: 4001 }, (_, index) => 4001 - index))
})

test('a message expires only in a session that asks for it, flags and CLEAR never', async () => {
  const { session } = await scene.newSession()
  expect(session.expireAfterS).toBeNull()
  expect((await send(session.id, 'Pit')).expiresAt).toBeNull()

  await ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 30 })
  const fuel = await send(session.id, 'Fuel')
  expect(fuel.expiresAt! - fuel.sentAt!).toBe(30_000)
  for (const type of ['FCY', 'SC', null] as const) {
    expect((await send(session.id, type)).expiresAt).toBeNull()
  }
  await ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: null })
  expect((await send(session.id, 'Go')).expiresAt).toBeNull()
  await expect(
    ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 5 }),
  ).rejects.toMatchObject({ code: 'invalid-input' })
  await leo.call.sessions.end({ sessionId: session.id })
  await expect(
    ana.call.sessions.setExpiry({ sessionId: session.id, expireAfterS: 60 }),
  ).rejects.toMatchObject({ code: 'session-ended' })
})

test('the CSV file is limited to twelve requests a minute', async () => {
  const { session } = await scene.newSession()
  const kim = await scene.app.person('Kim')
  const statuses = []
  for (let n = 0; n < 13; n++) statuses.push((await csv(session.id, kim)).status)
  expect(statuses).toEqual([...Array(12).fill(403), 429])
})
