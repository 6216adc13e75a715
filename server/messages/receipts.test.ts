import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Up } from '#contract/live.ts'
import type { ReceiptStage } from '#contract/messages.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { createTeam } from '#testing/people/createTeam.ts'

const metricsToken = 'a-token-for-prometheus'
let app: TestApp

beforeAll(async () => {
  app = await testApp({ metricsToken })
})
afterAll(() => app[Symbol.asyncDispose]())

test('one receipt over two connections is stored once (S1)', async () => {
  const { sessionId, ana, leo } = await sentMessage()
  const pit = await subscribedConnection(ana, `session:${sessionId}`)
  const phones = [await leo.connect(), await leo.connect()]
  for (const phone of phones) await phone.drive(sessionId)
  const before = await shownCount()

  for (const [index, phone] of phones.entries()) phone.send(receipt('shown', Date.now() + index))

  const first = await pit.next('receipt')
  expect(await pit.next('receipt')).toEqual(first)
  const [stored] = await ana.call.messages.log({ sessionId })
  expect(stored).toMatchObject({ version: 1, ...first.receipt })
  expect((await shownCount()) - before).toBe(1)
})

test('the metric counts a repeated shown once (S1)', async () => {
  const { sessionId, leo } = await sentMessage()
  const phone = await (await leo.connect()).drive(sessionId)
  const before = await shownCount()
  for (let n = 0; n < 3; n++) phone.send(receipt('shown', Date.now() + n))
  for (let n = 0; n < 3; n++) await phone.next('receipt')
  expect((await shownCount()) - before).toBe(1)
})

test('copied first sets shown, and a later shown changes nothing (S1)', async () => {
  const { sessionId, leo } = await sentMessage()
  const phone = await (await leo.connect()).drive(sessionId)
  const before = await shownCount()
  phone.send(receipt('copied', Date.now()))
  const copied = await phone.next('receipt')
  expect(copied.receipt.copiedAt).toEqual(expect.any(Number))
  expect(copied.receipt.shownAt).toBe(copied.receipt.copiedAt)
  phone.send(receipt('shown', 0))
  expect(await phone.next('receipt')).toEqual(copied)
  // It is not known when the screen showed it.
  expect((await shownCount()) - before).toBe(0)
})

/** Starts a session of Leo's and sends PIT to it. */
async function sentMessage() {
  const [ana, leo] = [await app.person('Ana'), await app.person('Leo')]
  const team = await createTeam(ana, [leo], 'Night Owls')
  const { id } = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await ana.call.messages.set({ sessionId: id, type: 'Pit', commandId: randomUUID() })
  return { sessionId: id, ana, leo }
}

function receipt(stage: ReceiptStage, at: number): Up {
  return { t: 'receipt', version: 1, stage, at }
}

/** Returns how many shown messages the metric has counted. */
async function shownCount(): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const [, count] = /^pitboard_message_shown_seconds_count (\d+)$/m.exec(await answer.text()) ?? []
  return Number(count)
}
