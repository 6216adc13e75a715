import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventName, notificationKinds } from '#contract/teamEvents.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { patience } from '#testing/patience.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar } from '#testing/people/roster.ts'
import { type BrowserSubscription, PushService } from '#testing/push/pushService.ts'
import { maxEventsAnHour } from './teamEvents.ts'

let app: TestApp
let service: PushService

beforeAll(async () => {
  app = await testApp({ dev: true, securityContact: 'mailto:race@example.com' })
  service = await PushService.start()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

/** Subscribes the browser of a person. */
async function subscribe({ call }: Pick<Person, 'call'>): Promise<BrowserSubscription> {
  const { publicKey } = await call.notifications.settings()
  const subscription = service.subscribe(publicKey!)
  await call.notifications.subscribe(subscription)
  return subscription
}

/** Ana's team with Leo, who drives. */
async function scene() {
  await app.forgetLimits()
  const ana = await app.person('Ana')
  const leo = await app.person('Leo')
  const team = await createTeam(ana, [leo], 'Night Owls')
  return { ana, leo, team }
}

/** Messages to this browser. */
function receivedBy({ endpoint }: BrowserSubscription) {
  return service.received.filter(each => each.endpoint === endpoint)
}

/** Sends a test to a browser that is not in question: everything before it has been sent. */
async function untilSent() {
  const other = await app.person('Other')
  const subscription = await subscribe(other)
  expect(await other.call.notifications.test()).toEqual({ sent: true })
  expect(receivedBy(subscription)).toHaveLength(1)
}

test('the start of a session is pushed once, encrypted and signed, with little content', async () => {
  const { ana, leo, team } = await scene()
  const [pit, own] = [await subscribe(ana), await subscribe(leo)]
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await expect.poll(() => receivedBy(pit)).toHaveLength(1)
  const [push] = receivedBy(pit)
  expect(push).toEqual({
    endpoint: pit.endpoint,
    notification: {
      title: 'Stint 1 has started',
      navigate: `${app.url}/teams/${team.id}/${session.id}/message`,
      lang: 'en',
      tag: session.id,
      renotify: true,
      timestamp: session.startedAt,
    },
    ttlS: expect.any(Number),
    topic: expect.stringMatching(/^[\w-]{32}$/),
    urgency: 'high',
    contact: 'mailto:race@example.com',
  })
  expect(push!.ttlS).toBeGreaterThan(50)
  expect(push!.ttlS).toBeLessThanOrEqual(60)
  // The browser that started it shows it anyway.
  await untilSent()
  expect(receivedBy(own)).toEqual([])
  expect(service.refused).toEqual([])
})

test('the answer "Problem" is pushed once, if repeated too, and not to the phone', async () => {
  const { ana, leo, team } = await scene()
  const [pit, car] = [await subscribe(ana), await subscribe(leo)]
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await expect.poll(() => receivedBy(pit)).toHaveLength(1)
  const phone = await leo.connect()
  phone.send({ t: 'drive', session: session.id, since: Date.now() })
  await phone.next('snapshot')
  phone.send({ t: 'fix', at: Date.now(), la: 50.9, lo: 5.2, v: 100, ac: 4, h: null })
  const isStored = async () =>
    (await app.database.db
      .selectFrom('newest_fixes')
      .select('last_driver_contact')
      .where('session_id', '=', session.id)
      .executeTakeFirst())!.last_driver_contact !== null
  await expect.poll(isStored).toBe(true)
  const problem = {
    t: 'answer',
    id: randomUUID(),
    kind: 'Problem',
    version: 0,
    at: Date.now(),
  } as const
  phone.send(problem)
  phone.send(problem)
  await expect.poll(() => receivedBy(pit)).toHaveLength(2)
  expect(receivedBy(pit)).toMatchObject([
    { notification: { title: 'Stint 1 has started' } },
    { notification: { title: 'Stint 1: the driver has a problem' } },
  ])
  await untilSent()
  expect(receivedBy(pit)).toHaveLength(2)
  expect(receivedBy(car)).toEqual([])
})

test('a browser that its push service has forgotten is deleted', async () => {
  const { ana, leo, team } = await scene()
  const gone = await subscribe(ana)
  service.end(gone)
  await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await expect.poll(async () => (await ana.call.notifications.settings()).endpoint).toBeNull()
})

test('only current members with a valid login are notified, of the kinds they chose', async () => {
  const { ana, leo, team } = await scene()
  const people = {
    member: await app.person('Member'),
    left: await app.person('Left'),
    signedOut: await app.person('Out'),
    expired: await app.person('Expired'),
    other: await app.person('Chooser'),
    stranger: await app.person('Stranger'),
  }
  for (const name of ['member', 'left', 'signedOut', 'expired', 'other'] as const) {
    const { id } = await ana.call.teams.invite({ teamId: team.id, ...people[name].details })
    await people[name].call.teams.accept({ invitationId: id })
  }
  const browsers: Record<string, BrowserSubscription> = {}
  for (const [name, person] of Object.entries(people)) browsers[name] = await subscribe(person)
  await people.left.call.teams.leave({ teamId: team.id })
  await people.signedOut.call.auth.signOut()
  await app.database.db
    .updateTable('logins')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', people.expired.id)
    .execute()
  await people.other.call.notifications.choose({ kinds: ['problem', 'pit-in', 'pit-in'] })
  expect((await people.other.call.notifications.settings()).kinds).toEqual(['problem', 'pit-in'])

  await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await expect.poll(() => receivedBy(browsers['member']!)).toHaveLength(1)
  await untilSent()
  for (const name of ['left', 'signedOut', 'expired', 'other', 'stranger'])
    expect({ name, received: receivedBy(browsers[name]!) }).toEqual({ name, received: [] })
})

test('a sign-out ends a subscription; the next user of the browser takes it over', async () => {
  const { ana, leo } = await scene()
  const browser = await subscribe(ana)
  await leo.call.notifications.subscribe(browser)
  expect((await ana.call.notifications.settings()).endpoint).toBeNull()
  expect((await leo.call.notifications.settings()).endpoint).toBe(browser.endpoint)
  await leo.call.auth.signOut()
  const rows = await app.database.db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('endpoint', '=', browser.endpoint)
    .execute()
  expect(rows).toEqual([])
})

test('a busy push service is asked again after 5 s, and only once', {
  timeout: 20_000 * patience,
}, async () => {
  const { ana, leo, team } = await scene()
  const pit = await subscribe(ana)
  service.failNext(503)
  await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await expect.poll(() => receivedBy(pit), { timeout: 10_000 * patience }).toHaveLength(1)
})

test('a test notification reports whether it was accepted', async () => {
  const { ana } = await scene()
  expect(await ana.call.notifications.test()).toEqual({ sent: false })
  const browser = await subscribe(ana)
  expect(await ana.call.notifications.test()).toEqual({ sent: true })
  expect(receivedBy(browser)).toMatchObject([
    { notification: { title: 'Notifications work', navigate: `${app.url}/teams` }, ttlS: 60 },
  ])
  service.failNext(400)
  expect(await ana.call.notifications.test()).toEqual({ sent: false })
})

test('members are notified of somebody who waits, once, and viewers are not', async () => {
  const { ana, leo, team } = await scene()
  await ana.call.teams.setRole({ teamId: team.id, userId: leo.id, role: 'viewer' })
  const [pit, viewer] = [await subscribe(ana), await subscribe(leo)]
  const { code } = await ana.call.joinCodes.show({
    teamId: team.id,
    role: 'member',
    asks: true,
    maxUses: 5,
    expiresAt: Date.now() + 60_000,
  })
  const kim = await app.person('Kim', 'Berg')
  await kim.call.joinCodes.join({ code })
  await kim.call.joinCodes.join({ code })
  await expect.poll(() => receivedBy(pit)).toHaveLength(1)
  expect(receivedBy(pit)).toMatchObject([
    {
      notification: {
        title: 'Kim Berg wants to join',
        navigate: expect.stringMatching(new RegExp(`/teams/${team.id}/members$`)),
      },
    },
  ])
  await untilSent()
  expect(receivedBy(pit)).toHaveLength(1)
  expect(receivedBy(viewer)).toEqual([])
})

test('turning notifications off is idempotent, and the choice stays', async () => {
  const { ana } = await scene()
  expect(await ana.call.notifications.settings()).toMatchObject({ kinds: notificationKinds })
  await subscribe(ana)
  await ana.call.notifications.choose({ kinds: [] })
  await ana.call.notifications.unsubscribe()
  await ana.call.notifications.unsubscribe()
  expect(await ana.call.notifications.settings()).toMatchObject({ kinds: [], endpoint: null })
})

test('events are listed for members, newest first, and published to open pages', async () => {
  const { ana, leo, team } = await scene()
  const page = await ana.connect()
  await page.subscribe(`team:${team.id}`)
  const first = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const { event } = await page.next('team-event')
  expect(event).toMatchObject({ kind: 'session-started', sessionId: first.id, name: 'Stint 1' })
  await leo.call.sessions.end({ sessionId: first.id })
  const second = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 2' })
  await page.next('team-event')
  const listed = await ana.call.notifications.list({ teamId: team.id })
  expect(listed.map(({ sessionId }) => sessionId)).toEqual([second.id, first.id])
  expect(listed[1]).toEqual(event)
})

test('an event names its car first', async () => {
  const { ana, leo, team } = await scene()
  const teamId = team.id
  const car = await addCar(ana, teamId, '17')
  const pit = await subscribe(ana)
  const page = await ana.connect()
  await page.subscribe(`team:${teamId}`)
  const { id } = await leo.call.sessions.start({ teamId, name: 'Zolder 6 hours', carId: car.id })
  expect((await page.next('team-event')).event).toMatchObject({ car: '17' })
  expect((await ana.call.notifications.list({ teamId }))[0]).toMatchObject({ car: '17' })
  await expect
    .poll(() => receivedBy(pit).map(({ notification }) => notification))
    .toMatchObject([{ title: 'Car 17, Zolder 6 hours has started', tag: id }])
})

test.each([
  ['Stint 1', undefined, 'Stint 1'],
  ['Stint 1', '17', 'Car 17, Stint 1'],
  ['Car 17, Sunday', '17', 'Car 17, Sunday'],
  ['Car 171', '17', 'Car 17, Car 171'],
])('the session %s of car %s is called %s', (name, car, called) => {
  expect(eventName({ name, car })).toBe(called)
})

test('a team is notified of a limited number of events an hour', async () => {
  const { ana, leo, team } = await scene()
  const page = await ana.connect()
  await page.subscribe(`team:${team.id}`)
  const hour = { what: 'team-events', key: team.id, limit: maxEventsAnHour, windowMs: 3_600_000 }
  app.rateLimits.enforce({ ...hour, cost: maxEventsAnHour - 1 })
  const { id } = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await page.next('team-event')
  await leo.call.sessions.end({ sessionId: id })
  const pit = await subscribe(ana)
  await leo.call.sessions.start({ teamId: team.id, name: 'Stint 2' })
  await page.next('session-started')
  await untilSent()
  expect(receivedBy(pit)).toEqual([])
})

test('a production server refuses addresses that are not of a public push service', async () => {
  await using real = await testApp()
  const ana = await real.person('Ana')
  const { publicKey } = await ana.call.notifications.settings()
  const { p256dh, auth, endpoint } = service.subscribe(publicKey!)
  for (const refused of [endpoint, 'https://127.0.0.1/x', 'https://push.example.com:8443/x'])
    await expect(
      ana.call.notifications.subscribe({ endpoint: refused, p256dh, auth }),
    ).rejects.toMatchObject({ code: 'invalid-input', detail: 'push-service' })
  const allowed = 'https://updates.push.example.com/wpush/v2/abc'
  await ana.call.notifications.subscribe({ endpoint: allowed, p256dh, auth })
  expect((await ana.call.notifications.settings()).endpoint).toBe(allowed)
})

test('keys of a browser that are no keys are refused', async () => {
  const { ana } = await scene()
  const { endpoint, p256dh, auth } = service.subscribe('unused')
  for (const bad of [{ p256dh: 'short' }, { auth: `${auth}==` }, { endpoint: 'file:///etc' }])
    await expect(
      ana.call.notifications.subscribe({ endpoint, p256dh, auth, ...bad }),
    ).rejects.toMatchObject({ code: 'invalid-input' })
  // A key of the right length that is not on the curve: only sending fails.
  await ana.call.notifications.subscribe({ endpoint, p256dh: 'B'.repeat(87), auth })
  expect(await ana.call.notifications.test()).toEqual({ sent: false })
})

test('a server that sends no notifications has no key', async () => {
  await using quiet = await testApp({ webPush: false })
  const ana = await quiet.person('Ana')
  expect((await ana.call.notifications.settings()).publicKey).toBeNull()
  await expect(ana.call.notifications.subscribe(service.subscribe('unused'))).rejects.toMatchObject(
    { code: 'not-found' },
  )
})
