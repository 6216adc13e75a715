import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PhoneState } from '#contract/phone.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

const phone = (part: Partial<PhoneState> = {}): PhoneState => ({
  drivingSince: 1000,
  count: 1,
  presence: 'shown',
  presenceSince: 1000,
  gps: 'good',
  gpsSince: 2000,
  battery: { percent: 80, charging: false },
  ...part,
})

test('the state of the phone reaches the team, also those who connect later (P1)', async () => {
  const { session } = await scene.newSession()
  expect(session.phone).toBeNull()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)

  car.send({ t: 'phone', phone: phone() })
  expect(await pit.next('phone')).toEqual({ t: 'phone', session: session.id, phone: phone() })
  car.send({
    t: 'phone',
    phone: phone({ count: 2, presence: 'hidden', gps: 'denied', battery: null }),
  })
  await pit.next('phone')
  // The phone's own connection receives only what others send.
  car.send({ t: 'heartbeat', at: 1 })
  await car.next('heartbeat')
  expect(car.received('phone')).toEqual([])
  const { phone: known } = await ana.call.sessions.get({ sessionId: session.id })
  expect(known).toEqual(phone({ count: 2, presence: 'hidden', gps: 'denied', battery: null }))
  // A later version of the app may report problems that this one does not know.
  const problems = ['awake', 'overheated']
  car.send({ t: 'phone', phone: phone({ count: 3, problems }) })
  expect(await pit.next('phone')).toMatchObject({ phone: { problems } })
})

test('a phone changes neither another session nor an ended one (P1)', async () => {
  const other = await scene.newSession()
  await leo.call.sessions.reportPhoneState({ sessionId: other.session.id, phone: phone() })
  await leo.call.sessions.end({ sessionId: other.session.id })
  const { session } = await scene.newSession()
  await leo.call.sessions.reportPhoneState({
    sessionId: session.id,
    phone: phone({ drivingSince: 5000, presence: 'hidden' }),
  })
  const read = (sessionId: string) => ana.call.sessions.get({ sessionId })
  expect((await read(session.id)).phone?.presence).toBe('hidden')
  expect((await read(other.session.id)).phone).toEqual(phone())
  await leo.call.sessions.reportPhoneState({
    sessionId: other.session.id,
    phone: phone({ drivingSince: 6000, presence: 'leaving' }),
  })
  expect((await read(other.session.id)).phone).toEqual(phone())
})

test('an older phone state never replaces a newer one, over either transport (P1)', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const report = (part: Partial<PhoneState>) =>
    leo.call.sessions.reportPhoneState({ sessionId, phone: phone(part) })
  await report({ count: 7, presence: 'hidden' })
  await report({ count: 6, presence: 'leaving' })
  await report({ drivingSince: 999, count: 50, presence: 'leaving' })
  expect((await ana.call.sessions.get({ sessionId })).phone?.presence).toBe('hidden')
  await report({ drivingSince: 1001, count: 1, presence: 'offline' })
  expect((await ana.call.sessions.get({ sessionId })).phone?.presence).toBe('offline')
})

test('a closing page reports by HTTP, never a future time or another driver (P1)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const before = Date.now()
  await leo.call.sessions.reportPhoneState({
    sessionId: session.id,
    phone: phone({ presence: 'leaving', presenceSince: before + 3_600_000 }),
  })
  const { phone: reported } = await pit.next('phone')
  expect(reported.presence).toBe('leaving')
  expect(reported.presenceSince).toBeLessThanOrEqual(Date.now())

  pit.send({ t: 'phone', phone: phone() })
  expect((await pit.next('refused')).code).toBe('not-the-driver')
})

test('a viewer cannot confirm the test flash (P2)', async () => {
  const { team, session } = await scene.newSession()
  const kim = await scene.app.person('Kim')
  await addMember(ana, team.id, kim)
  await ana.call.teams.setRole({ teamId: team.id, userId: kim.id, role: 'viewer' })
  const viewer = await subscribedConnection(kim, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  car.send({ t: 'test' })
  await viewer.next('test')
  viewer.send({ t: 'test-seen', session: session.id })
  expect(await viewer.next('refused')).toMatchObject({ re: 'test-seen', code: 'view-only' })
  await car.roundTrip()
  expect(car.received('test-seen')).toEqual([])
})

test("the driver's test flash reaches the team and the phone itself (P2)", async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  car.send({ t: 'test' })
  const received = await car.next('test')
  expect(await pit.next('test')).toEqual(received)
  // Only a subscriber of the room may report that it saw the flash, and one report is enough.
  const elsewhere = await ana.connect()
  elsewhere.send({ t: 'test-seen', session: session.id })
  elsewhere.send({ t: 'heartbeat', at: 1 })
  await elsewhere.next('heartbeat')
  expect(car.received('test-seen')).toEqual([])
  pit.send({ t: 'test-seen', session: session.id })
  pit.send({ t: 'test-seen', session: session.id })
  await car.next('test-seen')
  pit.send({ t: 'heartbeat', at: 2 })
  await pit.next('heartbeat')
  expect(pit.received('test-seen')).toHaveLength(1)
  pit.send({ t: 'test' })
  expect((await pit.next('refused')).code).toBe('not-the-driver')
})

test('buffered fixes are stored once, with their own time, and move no dot (F7)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const { db } = scene.app.database
  const start = session.startedAt
  await db
    .updateTable('sessions')
    .set({ date_started: new Date(start - 700_000) })
    .where('id', '=', session.id)
    .execute()
  const fixes = Array.from({ length: 600 }, (_, second) => ({
    at: start - 600_000 + second * 1000,
    latitude: 50.4 + second / 1e5,
    longitude: 5.97,
    speedKmh: 150,
    accuracyM: 4,
  }))
  const store = (part: typeof fixes) =>
    leo.call.sessions.storeFixes({ sessionId: session.id, fixes: part })

  expect(await store(fixes.slice(300))).toMatchObject({ stored: 300 })
  expect(await store(fixes.slice(0, 300))).toMatchObject({ stored: 300 })
  expect(await store(fixes.slice(0, 300))).toMatchObject({ stored: 0 })
  const outside = [start - 800_000, Date.now() + 60_000].map(at => ({ ...fixes[0]!, at }))
  expect(await store(outside)).toMatchObject({ stored: 0 })

  const stored = await db
    .selectFrom('positions')
    .select(['at', 'latitude'])
    .where('session_id', '=', session.id)
    .orderBy('at')
    .execute()
  expect(stored.map(({ at }) => at.getTime())).toEqual(fixes.map(({ at }) => at))
  await pit.roundTrip()
  expect(pit.received('fix')).toEqual([])
  expect((await ana.call.sessions.get({ sessionId: session.id })).latitude).toBeNull()
  await expect(store(fixes.slice(0, 301))).rejects.toMatchObject({ code: 'invalid-input' })
})
