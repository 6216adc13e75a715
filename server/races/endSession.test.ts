import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Down } from '#contract/live.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import {
  endsAfterSilenceMs,
  maxQueuedFixes,
  mayEndAfterSilenceMs,
} from '#contract/shared/silence.ts'
import type { TestApp } from '#testing/app.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { endSilentSessions } from './endSession.ts'

let scene: LiveScene
let app: TestApp
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ app, ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Makes the session as old as this, with its last contact at the given age. */
async function age(sessionId: SessionId, ms: number, contactMs: number | null) {
  const before = (ageMs: number) => new Date(Date.now() - ageMs)
  await app.database.db
    .updateTable('sessions')
    .set({ date_started: before(ms) })
    .where('id', '=', sessionId)
    .execute()
  await app.database.db
    .updateTable('newest_fixes')
    .set({ last_driver_contact: contactMs === null ? null : before(contactMs) })
    .where('session_id', '=', sessionId)
    .execute()
}

// spec: RO-3
test('any member ends a session whose phone has been silent for five minutes', async () => {
  const { team, session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  const watcher = await subscribedConnection(ana, `team:${team.id}`)
  await age(session.id, 2 * mayEndAfterSilenceMs, mayEndAfterSilenceMs)

  expect(await ana.call.sessions.end({ sessionId: session.id })).toMatchObject({
    status: 'Complete',
  })
  await car.next('session-ended')
  await watcher.next('session-ended')
  const again = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 2' })
  expect(again.status).toBe('Active')
})

test('a session without any contact is silent since its start', async () => {
  const { session } = await scene.newSession()
  await age(session.id, mayEndAfterSilenceMs, null)
  expect((await ana.call.sessions.end({ sessionId: session.id })).status).toBe('Complete')
})

test('a member cannot end a session whose phone was in contact a moment ago', async () => {
  const { session } = await scene.newSession()
  const refused = { code: 'not-the-driver' }
  await age(session.id, 2 * mayEndAfterSilenceMs, mayEndAfterSilenceMs - 60_000)
  await expect(ana.call.sessions.end({ sessionId: session.id })).rejects.toMatchObject(refused)

  // A contact that is not stored yet counts too.
  await age(session.id, 2 * mayEndAfterSilenceMs, mayEndAfterSilenceMs)
  const car = await scene.drivingConnection(session.id)
  car.send(fix())
  await car.roundTrip()
  await expect(ana.call.sessions.end({ sessionId: session.id })).rejects.toMatchObject(refused)
  expect((await leo.call.sessions.end({ sessionId: session.id })).status).toBe('Complete')
})

// spec: RO-3
test('only the owner may end the session of a driver who has left the team', async () => {
  const { team, session } = await scene.newSession()
  const kim = await app.person('Kim')
  await addMember(ana, team.id, kim)
  const end = (by: Person) => by.call.sessions.end({ sessionId: session.id })
  await expect(end(ana)).rejects.toMatchObject({ code: 'not-the-driver' })
  await leo.call.teams.leave({ teamId: team.id })
  await expect(end(kim)).rejects.toMatchObject({ code: 'not-the-driver' })
  await expect(end(leo)).rejects.toMatchObject({ code: 'not-a-member' })
  expect((await end(ana)).status).toBe('Complete')
})

test('a viewer cannot end a session after five silent minutes, a member can', async () => {
  const { team, session } = await scene.newSession()
  const kim = await app.person('Kim')
  await addMember(ana, team.id, kim)
  await age(session.id, 2 * mayEndAfterSilenceMs, mayEndAfterSilenceMs)
  const end = () => kim.call.sessions.end({ sessionId: session.id })
  await ana.call.teams.setRole({ teamId: team.id, userId: kim.id, role: 'viewer' })
  await expect(end()).rejects.toMatchObject({ code: 'view-only' })
  await ana.call.teams.setRole({ teamId: team.id, userId: kim.id, role: 'member' })
  expect((await end()).status).toBe('Complete')
})

function endSilent(live: Parameters<typeof endSilentSessions>[0]['live'], now = Date.now()) {
  const { db } = app.database
  return endSilentSessions({
    db,
    live,
    recorder: { latest: () => undefined },
    clock: { now: () => now },
  })
}

test('a session ends by itself after 36 silent hours', async () => {
  const { team, session } = await scene.newSession()
  const other = await scene.newSession()
  await age(session.id, endsAfterSilenceMs + 60_000, endsAfterSilenceMs + 1000)
  await age(other.session.id, 2 * endsAfterSilenceMs, endsAfterSilenceMs - 60_000)
  const published: [room: string, session: string][] = []
  const live = {
    publish: (room: string, event: Down) => {
      if (event.t === 'session-ended') published.push([room, event.session])
    },
  }

  await endSilent(live)

  expect(published).toEqual([
    [`team:${team.id}`, session.id],
    [`session:${session.id}`, session.id],
  ])
  const { status } = await leo.call.sessions.get({ sessionId: session.id })
  expect(status).toBe('Complete')
  const kept = await leo.call.sessions.get({ sessionId: other.session.id })
  expect(kept.status).toBe('Active')
})

test('all fixes that a silent phone can queue are stored after its session ended (F7)', async () => {
  const { session } = await scene.newSession()
  const contactAgeMs = 2 * endsAfterSilenceMs
  await age(session.id, contactAgeMs + 60_000, contactAgeMs)
  const contactAt = Date.now() - contactAgeMs
  const endedAt = contactAt + endsAfterSilenceMs + 1000
  await endSilent({ publish: () => undefined }, endedAt)
  expect((await leo.call.sessions.get({ sessionId: session.id })).status).toBe('Complete')

  // The first and the last one, and some between them.
  const fixes = Array.from({ length: 31 }, (_, n) => ({
    at: contactAt + Math.round((n / 30) * maxQueuedFixes) * 1000,
    latitude: 50.4,
    longitude: 5.97,
    speedKmh: 150,
    accuracyM: 4,
  }))
  const uploaded = await leo.call.sessions.storeFixes({ sessionId: session.id, fixes })
  expect(uploaded).toEqual({ stored: fixes.length, refused: [] })
})

/** Saves a race that all cars of the team drive. */
async function saveRace(teamId: TeamId) {
  const race = {
    id: randomUUID(),
    name: 'Zolder 24 hours',
    length: { in: 'time' as const, ms: 24 * 3_600_000 },
    rules: noRules,
    carIds: [],
  }
  await ana.call.races.save({ teamId, race })
}

test('the end of a silent session is published to other cars of its race (R14)', async () => {
  const { team, session } = await scene.newSession()
  await saveRace(team.id)
  const other = await ana.call.sessions.start({ teamId: team.id, name: 'Second car' })
  await age(session.id, endsAfterSilenceMs + 60_000, endsAfterSilenceMs + 1000)
  const changed: (string | undefined)[] = []
  const live = {
    publish: (_room: string, event: Down) => {
      if (event.t === 'race-changed') changed.push(event.session)
    },
  }
  await endSilent(live)
  expect(changed).toEqual([other.id])
})

test('the start of a session, and its end with the account, reach other cars (R14)', async () => {
  const { team, session } = await scene.newSession()
  await saveRace(team.id)
  const eve = await app.person('Eve', 'Winter')
  await addMember(ana, team.id, eve)
  const wall = await subscribedConnection(ana, `session:${session.id}`)
  await eve.call.sessions.start({ teamId: team.id, name: 'Second car' })
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })
  await eve.call.users.delete({ email: eve.email })
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })
})
