import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FixDown, FixUp } from '#contract/live.ts'
import type { TestApp } from '#testing/app.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let app: TestApp
let ana: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ app, ana } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

// spec: CA-15
test("the car's fixes reach the team unchanged, and are in a later snapshot (F1, F2)", async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const before = Date.now()

  const sent = fix()
  car.send(sent)

  const received = await pit.next('fix')
  expect(received).toMatchObject({ s: session.id, at: sent.at, la: sent.la, lo: sent.lo, v: 187 })
  expect(received.c).toBeGreaterThanOrEqual(before)
  const late = await ana.connect()
  late.send({ t: 'subscribe', room: `session:${session.id}` })
  expect((await late.next('snapshot')).snapshot).toMatchObject({
    session: { speedKmh: 187, latitude: sent.la, lastDriverContactAt: received.c },
  })
})

test('heading and time of arrival are published and stored, if they are valid (F1, F4)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const at = Date.now() - 1000
  for (const outside of [{ h: 360 }, { h: -0.1 }, { h: '90' }, { ar: false }]) {
    car.send({ ...fix({ at }), ...outside } as FixUp)
    expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'invalid-input' })
  }

  const published: FixDown[] = []
  for (const each of [{ h: 359.9 }, { h: null, ar: true as const }, {}]) {
    car.send(fix({ at: at + published.length, ...each }))
    published.push(await pit.next('fix'))
  }

  expect(published.map(({ h, ar }) => [h, ar])).toEqual([
    [359.9, undefined],
    [undefined, true],
    [undefined, undefined],
  ])
  await expect
    .poll(() =>
      app.database.db
        .selectFrom('positions')
        .select(['heading_deg', 'at_arrival'])
        .where('session_id', '=', session.id)
        .orderBy('at')
        .execute(),
    )
    .toEqual([
      { heading_deg: 359.9, at_arrival: null },
      { heading_deg: null, at_arrival: true },
      { heading_deg: null, at_arrival: null },
    ])
})

// spec: DR-20
test('a car without GPS still counts as online (F1)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)

  car.send(fix({ la: null, lo: null, v: null, ac: null }))

  expect(await pit.next('fix')).toMatchObject({ la: null, v: null })
  const { lastDriverContactAt } = await ana.call.sessions.get({ sessionId: session.id })
  expect(lastDriverContactAt).not.toBeNull()
})

test('a heartbeat acknowledges the stored fixes of its connection (F8)', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  const at = Date.now()
  for (const each of [fix({ at: at - 1000 }), fix({ at })]) car.send(each)
  const storedUpTo = async () => {
    car.send({ t: 'heartbeat', at: 1 })
    return (await car.next('heartbeat')).wrote
  }

  expect(await storedUpTo()).toBeUndefined()
  await expect.poll(storedUpTo).toBe(at)

  const stored = app.database.db.selectFrom('positions').where('session_id', '=', session.id)
  expect(await stored.select('at').execute()).toHaveLength(2)
})

test('fixes after a malformed one are not acknowledged (F8)', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  const at = Date.now()
  car.socket.send(JSON.stringify({ ...fix({ at: at - 1000 }), v: 'fast' }))
  car.send(fix({ at }))
  expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'invalid-input' })

  const stored = app.database.db.selectFrom('positions').where('session_id', '=', session.id)
  await expect.poll(() => stored.select('at').execute()).toHaveLength(1)
  for (let n = 0; n < 3; n++) {
    car.send({ t: 'heartbeat', at: n })
    expect((await car.next('heartbeat')).wrote).toBeUndefined()
  }
})

test('after a refused fix the fixes of the next session are acknowledged (F8)', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  const at = Date.now()
  await scene.leo.call.sessions.end({ sessionId: session.id })
  car.send(fix({ at: at - 1000 }))
  expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'session-ended' })

  const { session: next } = await scene.newSession()
  await car.drive(next.id)
  car.send(fix({ at }))
  const storedUpTo = async () => {
    car.send({ t: 'heartbeat', at: 1 })
    return (await car.next('heartbeat')).wrote
  }
  await expect.poll(storedUpTo).toBe(at)
})

test('fixes over ten a second are dropped silently, the others are stored (F10)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const at = Date.now()
  for (let n = 0; n < 250; n++) car.send(fix({ at: at - 250 + n }))
  await car.roundTrip()
  await pit.roundTrip()

  const published = pit.received('fix').length
  expect(published).toBeGreaterThanOrEqual(100)
  expect(published).toBeLessThan(250)
  expect(car.received('refused')).toEqual([])
  const storedUpTo = async () => {
    car.send({ t: 'heartbeat', at: 1 })
    return (await car.next('heartbeat')).wrote
  }
  await expect.poll(storedUpTo).toBe(pit.received('fix').at(-1)?.at)
})

test('a fix from the future or from another day gets the current time (F4)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  for (const at of [Date.now() + 3_600_000, 0]) {
    car.send(fix({ at }))
    const received = await pit.next('fix')
    expect(received).toMatchObject({ at: received.c, ar: true })
  }
})

test('fixes are stored once, and the session keeps the newest (F2)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const at = Date.now()
  for (const each of [fix({ at }), fix({ at }), fix({ at: at - 1, v: 190 })]) car.send(each)
  for (let n = 0; n < 3; n++) await pit.next('fix')

  await expect
    .poll(() =>
      app.database.db
        .selectFrom('positions')
        .select(['speed'])
        .where('session_id', '=', session.id)
        .orderBy('at')
        .execute(),
    )
    .toEqual([{ speed: 190 }, { speed: 187 }])
  const row = await app.database.db
    .selectFrom('newest_fixes')
    .select(['speed', 'latitude'])
    .where('session_id', '=', session.id)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ speed: 190, latitude: 50.4372 })
})

test('a fix that no column can hold stops neither other cars nor the shutdown (F2)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  const at = Date.now() - 1000
  for (const each of [
    fix({ at, ac: 1e-60 }),
    fix({ at: at + 1, ac: 1e6, la: 5e-324 }),
    fix({ at: at + 2 }),
  ]) {
    car.send(each)
    await pit.next('fix')
  }

  await expect
    .poll(() =>
      app.database.db
        .selectFrom('positions')
        .select(['accuracy_m'])
        .where('session_id', '=', session.id)
        .orderBy('at')
        .execute(),
    )
    .toEqual([{ accuracy_m: 0 }, { accuracy_m: 1e6 }, { accuracy_m: 4 }])
})
