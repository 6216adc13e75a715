import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Up } from '#contract/live.ts'
import { fix, type LiveScene, liveScene, phoneState } from '#testing/live/liveScene.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const off = { code: 'data-link-off' }

function setDataLink(sessionId: string, dataLink: boolean) {
  return scene.ana.call.sessions.setDataLink({ sessionId, dataLink })
}

async function refusedBy(phone: TestConnection, up: Up) {
  phone.send(up)
  return phone.next('refused')
}

test('off clears message, speed and position, and the car may send nothing (D1)', async () => {
  const { team, session } = await scene.newSession()
  const { id: sessionId } = session
  const phone = await scene.drivingConnection(sessionId)
  const wall = await scene.ana.connect()
  await wall.subscribe(`session:${sessionId}`)
  phone.send(fix())
  await wall.next('fix')
  await scene.ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  expect((await wall.next('message')).message.type).toBe('Pit')

  const dataLinkOff = { at: expect.any(Number), by: 'Ana' }
  const noPlace = { speedKmh: null, latitude: null, longitude: null, phone: null }
  const nothing = { dataLink: false, dataLinkOff, ...noPlace }
  expect(await setDataLink(sessionId, false)).toMatchObject(nothing)
  expect((await wall.next('message')).message.type).toBeNull()
  expect((await wall.next('session-changed')).session).toMatchObject(nothing)
  expect((await phone.next('session-changed')).session.dataLink).toBe(false)

  const id = randomUUID()
  const at = Date.now()
  const frames: Up[] = [
    fix(),
    { t: 'answer', id, kind: 'Problem', version: 0, at },
    { t: 'receipt', version: 1, stage: 'copied', at },
    { t: 'phone', phone: phoneState },
    { t: 'test' },
  ]
  for (const up of frames) expect(await refusedBy(phone, up)).toMatchObject({ re: up.t, ...off })
  const { leo } = scene
  const contact = await fetch(`${scene.app.url}/api/v1/sessions/${sessionId}/contact`, {
    method: 'POST',
    headers: {
      cookie: leo.jar.header,
      'x-xsrf-token': leo.jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ latitude: 50, longitude: 5, speedKmh: 90, accuracyM: 4 }),
  })
  expect([contact.status, await contact.json()]).toMatchObject([409, off])
  const position = { at, latitude: 50, longitude: 5, speedKmh: 90, accuracyM: 4 }
  await expect(
    leo.call.sessions.storeFixes({ sessionId, fixes: [position] }),
  ).rejects.toMatchObject(off)
  const report = { sessionId, phone: phoneState }
  await expect(leo.call.sessions.reportPhoneState(report)).rejects.toMatchObject(off)
  for (const type of ['Pit', 'Abort', null] as const) {
    const send = { sessionId, type, commandId: randomUUID() }
    await expect(scene.ana.call.messages.set(send)).rejects.toMatchObject(off)
  }

  const later = await scene.ana.connect()
  const { snapshot } = await later.subscribe(`session:${sessionId}`)
  expect(snapshot).toMatchObject({ session: { ...nothing, message: { type: null, version: 2 } } })
  expect(wall.all().filter(({ t }) => t === 'fix' || t === 'answer')).toEqual([])
  const events = await scene.ana.call.notifications.list({ teamId: team.id })
  expect(events.map(({ kind }) => kind)).toEqual(['session-started'])
})

test('positions of the time without a data link are never stored (D2)', async () => {
  const { session } = await scene.newSession()
  const { id: sessionId } = session
  await setDataLink(sessionId, false)
  // Idempotent.
  await setDataLink(sessionId, false)
  const during = Date.now()
  await expect.poll(() => Date.now()).toBeGreaterThan(during)
  await setDataLink(sessionId, true)
  expect((await setDataLink(sessionId, true)).dataLinkOff).toBeUndefined()
  const { db } = scene.app.database
  const breaks = await db
    .selectFrom('data_link_breaks')
    .select(['off_at', 'on_at'])
    .where('session_id', '=', sessionId)
    .execute()
  expect(breaks).toHaveLength(1)
  const place = { latitude: 50, longitude: 5, speedKmh: 90, accuracyM: 4 }
  const before = breaks[0]!.off_at.getTime() - 1
  const after = breaks[0]!.on_at!.getTime()
  const fixes = [before, during, after].map(at => ({ at, ...place }))
  expect(await scene.leo.call.sessions.storeFixes({ sessionId, fixes })).toEqual({
    stored: 2,
    refused: [{ at: during, reason: 'data-link-off' }],
  })

  // A fix of the connection that was taken before and is sent after it.
  const phone = await scene.drivingConnection(sessionId)
  const wall = await scene.ana.connect()
  await wall.subscribe(`session:${sessionId}`)
  phone.send(fix({ at: during }))
  phone.send(fix({ at: after + 1 }))
  await wall.next('fix')
  await wall.next('fix')
  const times = async () => {
    const rows = await db
      .selectFrom('positions')
      .select('at')
      .where('session_id', '=', sessionId)
      .orderBy('at')
      .execute()
    return rows.map(({ at }) => at.getTime())
  }
  await expect.poll(times).toEqual([before, after, after + 1])
})

test('the log has when and by whom the data link was switched off and on', async () => {
  const { leo } = scene
  const { session } = await scene.newSession()
  const { id: sessionId } = session
  expect(session.dataLinkOn).toBeUndefined()
  expect(await leo.call.sessions.dataLinkLog({ sessionId })).toEqual([])
  const { dataLinkOff: first } = await setDataLink(sessionId, false)
  const { dataLinkOn } = await leo.call.sessions.setDataLink({ sessionId, dataLink: true })
  expect(dataLinkOn).toEqual({ at: expect.any(Number), by: 'Leo' })
  const again = await setDataLink(sessionId, true)
  expect(again).toMatchObject({ dataLinkOn })
  const { dataLinkOff: second, ...off } = await setDataLink(sessionId, false)
  expect(off).not.toHaveProperty('dataLinkOn')
  expect(await leo.call.sessions.dataLinkLog({ sessionId })).toEqual([
    { dataLink: false, at: first?.at, by: 'Ana Tester' },
    { dataLink: true, at: dataLinkOn?.at, by: 'Leo Tester' },
    { dataLink: false, at: second?.at, by: 'Ana Tester' },
  ])
})

test('a session can start without a data link (D1)', async () => {
  const { leo } = scene
  const { team, session } = await scene.newSession()
  await leo.call.sessions.end({ sessionId: session.id })
  const started = { teamId: team.id, name: 'Stint 2', dataLink: false }
  const { id: sessionId, startedAt, ...settings } = await leo.call.sessions.start(started)
  expect(settings).toMatchObject({ dataLink: false, dataLinkOff: { at: startedAt, by: 'Leo' } })
  const phone = await scene.drivingConnection(sessionId)
  expect(await refusedBy(phone, fix())).toMatchObject(off)
})

test('the data link of an ended session stays as it was', async () => {
  const { session } = await scene.newSession()
  const { id: sessionId } = session
  const fixes = [{ at: session.startedAt, latitude: 50, longitude: 5, speedKmh: 90, accuracyM: 4 }]
  await expect.poll(() => Date.now()).toBeGreaterThan(session.startedAt)
  await setDataLink(sessionId, false)
  await scene.leo.call.sessions.end({ sessionId })
  await expect(setDataLink(sessionId, true)).rejects.toMatchObject({ code: 'session-ended' })
  // Positions from before may follow now.
  expect(await scene.leo.call.sessions.storeFixes({ sessionId, fixes })).toMatchObject({
    stored: 1,
  })
})
