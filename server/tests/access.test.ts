import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Kind } from '#contract/endpoint.ts'
import { RefusalBody, type RefusalCode } from '#contract/refusal.ts'
import { noRules } from '#contract/shared/racing/raceRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { importRecording } from '#testing/files/recordings.ts'
import { phoneState } from '#testing/live/liveScene.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import type { Person } from '#testing/people/person.ts'

/**
 * Access rules: every endpoint and every live subscription, tested without a login and as an anonymous
 * user, a member of another team, an invited person, a viewer, a member, the driver of the session, who is a
 * member, and the owner of the team.
 */
type Who =
  | 'nobody'
  | 'anonymous'
  | 'stranger'
  | 'invited'
  | 'viewer'
  | 'member'
  | 'driver'
  | 'owner'
type Answer = 'ok' | RefusalCode

let app: TestApp
let people: Record<Exclude<Who, 'nobody' | 'anonymous'>, Person>
let anonymous: CookieJar

beforeAll(async () => {
  app = await testApp({ anonymousAccounts: true })
  people = {
    stranger: await app.person('Stranger'),
    invited: await app.person('Invited'),
    viewer: await app.person('Viewer'),
    member: await app.person('Member'),
    driver: await app.person('Driver'),
    owner: await app.person('Owner'),
  }
  await people.stranger.call.teams.create({ name: 'Another team' })
  anonymous = new CookieJar()
  await createClient(app.url, anonymous).auth.signInAnonymously()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The scene of a refused request, which changed nothing: the next row uses it too. */
let unchangedScene: Scene | undefined
/** The state of a scene at the last comparison, which is its state before the next row's request. */
let comparedState: { of: Scene; state: Stored } | undefined

/** Returns a team and a session that no row has changed, so that rows cannot influence each other. */
async function scene(): Promise<Scene> {
  await app.forgetLimits()
  const made = unchangedScene ?? (await createScene())
  unchangedScene = undefined
  return made
}

async function createScene() {
  const { invited, viewer, member, driver, owner } = people
  const team = await owner.call.teams.create({ name: 'Night Owls' })
  // Writes to the database, because the calls of so many tests would exceed the rate limit.
  await app.database.db
    .insertInto('team_access')
    .values([
      { team_id: team.id, user_id: viewer.id, role: 'viewer' },
      { team_id: team.id, user_id: member.id },
      { team_id: team.id, user_id: driver.id },
    ])
    .execute()
  const session = await driver.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const stintId = randomUUID()
  const [car, rosterDriver] = [newCar(), newDriver({ memberId: member.id })]
  const { db } = app.database
  await db
    .insertInto('cars')
    .values({ id: car.id, team_id: team.id, position: 0, number: '7' })
    .execute()
  await db
    .insertInto('drivers')
    .values({
      id: rosterDriver.id,
      team_id: team.id,
      position: 0,
      name: rosterDriver.name,
      user_id: member.id,
    })
    .execute()
  await db
    .insertInto('stints')
    .values({ session_id: session.id, id: stintId, driver_id: null, from_at: new Date() })
    .execute()
  const race = newRace()
  const rulePackId = randomUUID()
  const rules = JSON.stringify(noRules)
  const created = { team_id: team.id, created_at: new Date(), rules }
  await db
    .insertInto('races')
    .values({ id: race.id, name: race.name, length_ms: race.length.ms, ...created })
    .execute()
  await db
    .insertInto('rule_packs')
    .values({ id: rulePackId, ...created })
    .execute()
  const fillId = randomUUID()
  await app.database.db
    .insertInto('fills')
    .values({
      session_id: session.id,
      id: fillId,
      at: new Date(),
      litres: 58,
      kind: 'full',
      removed_at: null,
    })
    .execute()
  const { id: invitationId } = await owner.call.teams.invite({
    teamId: team.id,
    ...invited.details,
  })
  return {
    teamId: team.id,
    sessionId: session.id,
    driverId: driver.id,
    memberId: member.id,
    invitationId,
    carId: car.id,
    rosterDriverId: rosterDriver.id,
    stintId,
    raceId: race.id,
    rulePackId,
    fillId,
  }
}
type Scene = Awaited<ReturnType<typeof createScene>>

interface Row {
  input?: (scene: Scene) => object
  answers: Answers
}

type ByDefault = 'invited' | 'viewer' | 'owner'

/**
 * An invited person gets the same response as a stranger, a viewer and the owner as a member, unless a row states
 * another.
 */
type Answers<Of = Answer> = Record<Exclude<Who, ByDefault>, Of> & Partial<Record<ByDefault, Of>>

/** The response to each kind of caller. */
function byCaller<Of>(answers: Omit<Answers<Of>, 'nobody'> & { nobody?: Of }) {
  const { stranger, member } = answers
  return Object.entries({ invited: stranger, viewer: member, owner: member, ...answers }).map(
    ([who, answer]) => ({ who: who as Who, answer: answer as Of }),
  )
}

const forEverybody = {
  nobody: 'ok',
  anonymous: 'ok',
  stranger: 'ok',
  member: 'ok',
  driver: 'ok',
} as const
const forAnyLogin = { ...forEverybody, nobody: 'not-signed-in' } as const
const forReaders = { ...forAnyLogin, anonymous: 'not-a-member', stranger: 'not-a-member' } as const
const forSignedIn = { ...forAnyLogin, anonymous: 'address-needed' } as const
const forMembers = { ...forSignedIn, stranger: 'not-a-member' } as const
const forEditors = { ...forMembers, viewer: 'view-only' } as const
const forNoAgent = {
  nobody: 'not-signed-in',
  anonymous: 'address-needed',
  stranger: 'not-found',
  member: 'not-found',
  driver: 'not-found',
} as const
const forInvited = { ...forNoAgent, invited: 'ok' } as const
const forDriver = { ...forMembers, member: 'not-the-driver' } as const
const forOwner = {
  ...forMembers,
  member: 'not-the-owner',
  driver: 'not-the-owner',
  owner: 'ok',
} as const

const ofTeam = ({ teamId }: Scene) => ({ teamId })
const ofInvitation = ({ invitationId }: Scene) => ({ invitationId })
const ofSession = ({ sessionId }: Scene) => ({ sessionId })
const fillOf = ({ sessionId, fillId }: Scene) => ({
  sessionId,
  fillId,
  litres: 58,
  kind: 'full',
})
const newPerson = () => ({
  firstName: 'New',
  lastName: 'Face',
  email: `${randomUUID()}@example.com`,
})

const newCar = () => ({
  id: randomUUID(),
  number: randomUUID().slice(0, 4),
  name: null,
  carClass: 'GT4',
  tankL: 100,
  reserveL: 3,
  burnL: 2.5,
})
const newDriver = ({ memberId }: { memberId: string }) => ({
  id: randomUUID(),
  name: 'Noor Haddad',
  userId: memberId,
})

const newRace = () => ({
  id: randomUUID(),
  name: 'Zolder 6 hours',
  length: { in: 'time' as const, ms: 21_600_000 },
  rules: noRules,
  carIds: [],
})
const rulePackFile = JSON.stringify({ format: 'pitboard-rule-pack', version: 1, rules: noRules })

const ofCircuit = ({ teamId }: Scene) => ({ teamId, circuitId: 'zolder' })
const ovalFile = JSON.stringify({
  type: 'LineString',
  coordinates: Array.from({ length: 40 }, (_, index) => [
    5 + 0.004 * Math.cos((index * Math.PI) / 20),
    50 + 0.002 * Math.sin((index * Math.PI) / 20),
  ]),
})

const nowhere = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }

const calls: Record<string, Row> = {
  'auth.sendCode': { input: newPerson, answers: forEverybody },
  'auth.verifyCode': {
    input: () => ({ email: newPerson().email, code: '000000' }),
    answers: {
      nobody: 'code-dead',
      anonymous: 'code-dead',
      stranger: 'code-dead',
      member: 'code-dead',
      driver: 'code-dead',
    },
  },
  'auth.login': { answers: forEverybody },
  'auth.logins': { answers: forAnyLogin },
  'auth.createToken': {
    input: () => ({ name: 'Logger', scopes: ['drive'] }),
    answers: forSignedIn,
  },
  'auth.endLogin': {
    input: () => ({ loginId: randomUUID() }),
    answers: {
      nobody: 'not-signed-in',
      anonymous: 'not-found',
      stranger: 'not-found',
      member: 'not-found',
      driver: 'not-found',
    },
  },
  'auth.signOutEverywhere': { answers: forAnyLogin },
  'passkeys.list': { answers: forSignedIn },
  'passkeys.startAdding': { answers: forSignedIn },
  'passkeys.add': {
    input: () => ({
      name: 'Phone',
      credential: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
      },
    }),
    answers: {
      nobody: 'not-signed-in',
      anonymous: 'address-needed',
      stranger: 'passkey-refused',
      member: 'passkey-refused',
      driver: 'passkey-refused',
    },
  },
  'passkeys.remove': { input: () => ({ passkeyId: randomUUID() }), answers: forNoAgent },
  'passkeys.startSignIn': { answers: forEverybody },
  'passkeys.signIn': {
    input: () => ({
      credential: {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      },
    }),
    answers: {
      nobody: 'passkey-refused',
      anonymous: 'passkey-refused',
      stranger: 'passkey-refused',
      member: 'passkey-refused',
      driver: 'passkey-refused',
    },
  },
  'users.me': { answers: forAnyLogin },
  'users.get': {
    input: ({ driverId }) => ({ userId: driverId }),
    answers: { ...forReaders, anonymous: 'not-found', stranger: 'not-found' },
  },
  'users.rename': { input: () => ({ firstName: 'Re', lastName: 'Named' }), answers: forSignedIn },
  'users.sendEmailCodes': {
    input: () => ({ email: newPerson().email }),
    answers: forSignedIn,
  },
  'users.changeEmail': {
    input: () => ({ email: newPerson().email, currentCode: '000000', newCode: '000000' }),
    answers: {
      nobody: 'not-signed-in',
      anonymous: 'address-needed',
      stranger: 'code-dead',
      member: 'code-dead',
      driver: 'code-dead',
    },
  },
  'users.delete': {
    input: () => ({ email: 'somebody@example.com' }),
    answers: {
      ...forSignedIn,
      stranger: 'invalid-input',
      member: 'invalid-input',
      driver: 'invalid-input',
    },
  },
  'users.deleteHistory': { answers: forSignedIn },
  'teams.list': { answers: forAnyLogin },
  'teams.get': { input: ofTeam, answers: forReaders },
  'teams.create': { input: () => ({ name: 'One more' }), answers: forSignedIn },
  'teams.members': { input: ofTeam, answers: forReaders },
  'teams.invite': { input: s => ({ ...ofTeam(s), ...newPerson() }), answers: forEditors },
  'teams.invited': { input: ofTeam, answers: forMembers },
  'teams.withdrawInvitation': {
    input: s => ({ ...ofTeam(s), invitationId: s.invitationId }),
    answers: forEditors,
  },
  'teams.invitations': { answers: forSignedIn },
  'teams.accept': { input: ofInvitation, answers: forInvited },
  'teams.decline': { input: ofInvitation, answers: forInvited },
  'teams.rename': {
    input: s => ({ ...ofTeam(s), name: 'Renamed' }),
    answers: forOwner,
  },
  'teams.setRole': {
    input: s => ({ ...ofTeam(s), userId: s.memberId, role: 'viewer' }),
    answers: forOwner,
  },
  'teams.removeMember': {
    input: s => ({ ...ofTeam(s), userId: s.memberId }),
    answers: forOwner,
  },
  'teams.leave': { input: ofTeam, answers: forMembers },
  'teams.changes': { input: ofTeam, answers: forMembers },
  'teams.delete': {
    input: ofTeam,
    answers: { ...forOwner, owner: 'team-driving' },
  },
  'teams.listDeleted': { answers: forSignedIn },
  'teams.restore': { input: ofTeam, answers: forNoAgent },
  'televisions.requestCode': { answers: forEverybody },
  'televisions.collect': {
    input: () => ({ secret: 'A'.repeat(43) }),
    answers: {
      nobody: 'code-dead',
      anonymous: 'code-dead',
      stranger: 'code-dead',
      member: 'code-dead',
      driver: 'code-dead',
    },
  },
  'televisions.find': {
    input: () => ({ code: '12' }),
    answers: { ...forSignedIn, stranger: 'code-wrong', member: 'code-wrong', driver: 'code-wrong' },
  },
  'televisions.allow': {
    input: s => ({ ...ofTeam(s), code: '12', name: 'Garage' }),
    answers: { ...forEditors, member: 'code-wrong', driver: 'code-wrong' },
  },
  'televisions.list': { input: ofTeam, answers: forMembers },
  'televisions.remove': {
    input: s => ({ ...ofTeam(s), televisionId: randomUUID() }),
    answers: { ...forEditors, member: 'not-found', driver: 'not-found' },
  },
  'sessions.start': {
    input: s => ({ ...ofTeam(s), name: 'Stint 2' }),
    answers: { ...forEditors, driver: 'already-driving' },
  },
  'sessions.get': { input: ofSession, answers: forReaders },
  'sessions.listActive': { input: ofTeam, answers: forReaders },
  'sessions.listEnded': { input: ofTeam, answers: forReaders },
  'sessions.list': { input: ofTeam, answers: forReaders },
  'sessions.rename': { input: s => ({ ...ofSession(s), name: 'Renamed' }), answers: forEditors },
  'sessions.setLapTiming': {
    input: s => ({ ...ofSession(s), lapTiming: false }),
    answers: forEditors,
  },
  'sessions.setDataLink': {
    input: s => ({ ...ofSession(s), dataLink: false }),
    answers: forEditors,
  },
  'sessions.setLapReference': {
    input: s => ({ ...ofSession(s), lapReference: 'best', targetLapMs: null }),
    answers: forEditors,
  },
  'sessions.end': { input: ofSession, answers: { ...forDriver, viewer: 'view-only' } },
  'sessions.storeFixes': {
    input: s => ({ ...ofSession(s), fixes: [{ ...nowhere, at: Date.now() }] }),
    answers: forDriver,
  },
  'sessions.deleteHistory': { input: ofSession, answers: forDriver },
  'sessions.reportPhoneState': {
    input: s => ({ ...ofSession(s), phone: phoneState }),
    answers: forDriver,
  },
  'sessions.setExpiry': {
    input: s => ({ ...ofSession(s), expireAfterS: 60 }),
    answers: forEditors,
  },
  'laps.list': { input: ofSession, answers: forReaders },
  // The session has no laps.
  'laps.mark': {
    input: s => ({ ...ofSession(s), at: Date.now(), marked: true }),
    answers: { ...forEditors, member: 'not-found', driver: 'not-found' },
  },
  'roster.get': { input: ofTeam, answers: forReaders },
  'roster.saveCar': { input: s => ({ ...ofTeam(s), car: newCar() }), answers: forEditors },
  'roster.removeCar': { input: s => ({ ...ofTeam(s), carId: s.carId }), answers: forEditors },
  'roster.saveDriver': {
    input: s => ({ ...ofTeam(s), driver: newDriver(s) }),
    answers: forEditors,
  },
  'roster.removeDriver': {
    input: s => ({ ...ofTeam(s), driverId: s.rosterDriverId }),
    answers: forEditors,
  },
  'roster.sort': {
    input: s => ({ ...ofTeam(s), what: 'cars', ids: [s.carId] }),
    answers: forEditors,
  },
  'stints.ofSession': { input: ofSession, answers: forReaders },
  'stints.add': {
    input: s => ({ ...ofSession(s), stintId: randomUUID(), driverId: s.rosterDriverId }),
    answers: forEditors,
  },
  'stints.edit': {
    input: s => ({ ...ofSession(s), edits: [{ kind: 'remove', stintId: s.stintId }] }),
    answers: forEditors,
  },
  'stints.remove': {
    input: s => ({ ...ofSession(s), stintId: s.stintId }),
    answers: forEditors,
  },
  'fills.add': { input: s => ({ ...fillOf(s), fillId: randomUUID() }), answers: forEditors },
  'fills.change': { input: fillOf, answers: forEditors },
  'fills.remove': {
    input: s => ({ ...ofSession(s), fillId: s.fillId }),
    answers: forEditors,
  },
  'fills.setStart': { input: s => ({ ...ofSession(s), litres: 80 }), answers: forEditors },
  'stints.setAutoPit': { input: s => ({ ...ofSession(s), on: true }), answers: forEditors },
  'stints.setCar': { input: s => ({ ...ofSession(s), carId: s.carId }), answers: forEditors },
  'stints.setRace': { input: s => ({ ...ofSession(s), raceId: s.raceId }), answers: forEditors },
  'races.list': { input: ofTeam, answers: forReaders },
  'races.save': {
    input: s => ({ ...ofTeam(s), race: { ...newRace(), id: s.raceId, name: 'Spa' } }),
    answers: forEditors,
  },
  'races.start': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.pause': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.resume': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.end': { input: s => ({ raceId: s.raceId }), answers: forEditors },
  'races.plan': { input: s => ({ raceId: s.raceId }), answers: forReaders },
  'races.changePlan': {
    input: s => ({ raceId: s.raceId, carId: s.carId, change: { kind: 'stop', stopMs: 1000 } }),
    answers: forEditors,
  },
  'rulePacks.list': { input: ofTeam, answers: forReaders },
  'rulePacks.save': {
    input: s => ({ ...ofTeam(s), id: randomUUID(), rules: noRules }),
    answers: forEditors,
  },
  'rulePacks.remove': { input: s => ({ ...ofTeam(s), id: s.rulePackId }), answers: forEditors },
  'rulePacks.import': {
    input: s => ({ ...ofTeam(s), id: randomUUID(), file: rulePackFile }),
    answers: forEditors,
  },
  'notifications.settings': { answers: forSignedIn },
  'notifications.choose': { input: () => ({ kinds: ['problem'] }), answers: forSignedIn },
  'notifications.subscribe': {
    input: () => ({
      endpoint: 'https://push.example.com/abc',
      p256dh: 'B'.repeat(87),
      auth: 'A'.repeat(22),
    }),
    answers: forSignedIn,
  },
  'notifications.unsubscribe': { answers: forSignedIn },
  'notifications.test': { answers: forSignedIn },
  'notifications.list': { input: ofTeam, answers: forReaders },
  'circuits.list': { input: ofTeam, answers: forReaders },
  'circuits.get': { input: s => ofCircuit(s), answers: forReaders },
  'circuits.ofSession': { input: ofSession, answers: forReaders },
  'circuits.driven': { input: ofSession, answers: forReaders },
  // Its circuit is not known: a viewer is refused before.
  'circuits.setGate': {
    input: s => ({ ...ofSession(s), gate: 'line' }),
    answers: { ...forEditors, member: 'invalid-input', driver: 'invalid-input' },
  },
  'circuits.placeLine': {
    input: s => ({ ...ofCircuit(s), place: { latitude: 50.99, longitude: 5.2565 } }),
    answers: forEditors,
  },
  // It has none.
  'circuits.removePitLane': {
    input: s => ofCircuit(s),
    answers: { ...forEditors, member: 'not-found', driver: 'not-found' },
  },
  'circuits.undo': {
    input: s => ({ ...ofCircuit(s), version: 1 }),
    answers: { ...forEditors, member: 'not-found', driver: 'not-found' },
  },
  // It comes with the app.
  'circuits.reverse': {
    input: s => ofCircuit(s),
    answers: { ...forEditors, member: 'invalid-input', driver: 'invalid-input' },
  },
  'circuits.rename': { input: s => ({ ...ofCircuit(s), name: 'Home' }), answers: forEditors },
  'circuits.delete': {
    input: s => ofCircuit(s),
    answers: { ...forEditors, member: 'invalid-input', driver: 'invalid-input' },
  },
  'circuits.import': {
    input: s => ({ ...ofTeam(s), name: 'Oval', file: ovalFile }),
    answers: forEditors,
  },
  'positions.list': { input: ofSession, answers: forReaders },
  'messages.log': { input: ofSession, answers: forReaders },
  'messages.set': {
    input: s => ({ ...ofSession(s), type: 'Pit', commandId: randomUUID() }),
    answers: forEditors,
  },
  'words.list': { input: ofTeam, answers: forReaders },
  'words.save': {
    input: s => ({ ...ofTeam(s), word: { id: randomUUID(), text: 'BOX 2', colour: 'pit' } }),
    answers: forEditors,
  },
  'words.remove': { input: s => ({ ...ofTeam(s), wordId: randomUUID() }), answers: forEditors },
  'privacy.settings': { answers: forEverybody },
  // Support is not configured and nobody here is an agent: support/server/agents/auth.test.ts covers the rest.
  'support.settings': { answers: forNoAgent },
  'support.callServers': { answers: forNoAgent },
  'support.visitors': { answers: forNoAgent },
  'support.join': { input: () => ({ visitId: 'a'.repeat(64) }), answers: forNoAgent },
  'support.audit': { answers: forNoAgent },
  'support.createTest': {
    input: () => ({
      title: 'Find the map',
      guidelines: '',
      tasks: [{ title: 'Open it', description: '', allowTyping: false }],
    }),
    answers: forNoAgent,
  },
  'support.listTests': { answers: forNoAgent },
  'support.getTest': { input: () => ({ testId: 1 }), answers: forNoAgent },
  'files.list': { input: ofTeam, answers: forReaders },
  'files.delete': {
    input: s => ({ ...ofTeam(s), name: 'logo.png' }),
    answers: { ...forEditors, member: 'not-found', driver: 'not-found' },
  },
}

/** These end or replace the caller's own login, so they have separate tests below. */
const ownLogin = ['auth.signOut', 'auth.signInAnonymously']

test('the access table covers every endpoint', () => {
  const names = Object.entries(api).flatMap(([topic, endpoints]) =>
    Object.keys(endpoints).map(name => `${topic}.${name}`),
  )
  expect([...Object.keys(calls), ...ownLogin].sort()).toEqual(names.sort())
})

test('the tables cover every HTTP route', async () => {
  const { paths } = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as {
    paths: Record<string, unknown>
  }
  const plain = ['files.get', 'files.upload', 'v1/sessions/{sessionId}/contact']
  plain.push('v1/teams/{teamId}/recordings')
  const known = [...Object.keys(calls), ...ownLogin, ...plain]
  known.push('v1/sessions/{sessionId}/messages.csv', 'v1/export.zip')
  known.push('v1/teams/{teamId}/circuits/{circuitId}/{format}')
  known.push(...exported.map(name => `v1/sessions/{sessionId}/${name}`))
  expect(Object.keys(paths).sort()).toEqual(known.map(name => `/api/${name}`).sort())
})

const endpoints: Record<string, Record<string, { kind: Kind }>> = api

const rows = Object.entries(calls).flatMap(([name, { input, answers }]) =>
  byCaller(answers).map(each => ({ name, input, ...each })),
)

// spec: RO-1 RO-2 RO-3 RO-4 RO-5 CA-2 CA-3 CA-5 CA-6 CA-7 CA-10 CA-11 CA-12 CA-15 CA-16 CA-18
test.each(rows)('$name as $who: $answer', async ({ name, who, answer, input }) => {
  const [topic, call] = name.split('.') as ['teams', 'get']
  const client = createClient(app.url, jarOf(who))
  const made = await scene()
  const before = await stateBefore(made)

  const got = await client[topic][call]((input?.(made) ?? {}) as never).then(
    () => 'ok' as const,
    (error: { code?: unknown }) => error.code,
  )

  expect(got).toBe(answer)
  if (answer === 'ok' && endpoints[topic]?.[call]?.kind === 'command') return
  await expectUnchanged(made, before)
})

async function stateBefore(made: Scene): Promise<Stored> {
  return comparedState?.of === made ? comparedState.state : stored(made)
}

async function expectUnchanged(made: Scene, before: Stored) {
  const state = await stored(made)
  expect(isDeepStrictEqual(state, before)).toBe(true)
  unchangedScene = made
  comparedState = { of: made, state }
}

type Stored = Awaited<ReturnType<typeof stored>>

/** The stored state of a scene: a refused request must not change it. */
async function stored({ teamId, sessionId, raceId }: Scene) {
  const { db } = app.database
  return {
    session: await db.selectFrom('sessions_view').selectAll().where('id', '=', sessionId).execute(),
    team: await db.selectFrom('teams').selectAll().where('id', '=', teamId).execute(),
    cars: await db.selectFrom('cars').selectAll().where('team_id', '=', teamId).execute(),
    drivers: await db.selectFrom('drivers').selectAll().where('team_id', '=', teamId).execute(),
    races: await db.selectFrom('races').selectAll().where('team_id', '=', teamId).execute(),
    plans: await db.selectFrom('race_plans').selectAll().where('race_id', '=', raceId).execute(),
    packs: await db.selectFrom('rule_packs').selectAll().where('team_id', '=', teamId).execute(),
    stints: await db.selectFrom('stints').selectAll().where('session_id', '=', sessionId).execute(),
    circuits: await db.selectFrom('circuits').selectAll().where('team_id', '=', teamId).execute(),
    invitations: await db
      .selectFrom('invitations')
      .selectAll()
      .where('team_id', '=', teamId)
      .execute(),
    members: await db
      .selectFrom('team_users_view')
      .selectAll()
      .where('team_id', '=', teamId)
      // Another plan of the join, such as after a vacuum, has another order.
      .orderBy('id')
      .execute(),
  }
}

test('signing out needs a login and ends it', async () => {
  const nobody = createClient(app.url, new CookieJar())
  await expect(nobody.auth.signOut()).rejects.toMatchObject({ code: 'not-signed-in' })
  const person = await app.person('Brief')
  await person.call.auth.signOut()
  await expect(person.call.teams.list()).rejects.toMatchObject({ code: 'not-signed-in' })
})

type LiveAnswer = 'snapshot' | RefusalCode
const strangers = { anonymous: 'not-a-member', stranger: 'not-a-member' } as const
const subscriptions: {
  what: string
  room: (s: Scene) => string
  answers: Omit<Answers<LiveAnswer>, 'nobody'>
}[] = [
  {
    what: "the driver's own room",
    room: s => `user:${s.driverId}`,
    answers: { ...strangers, member: 'not-a-member', driver: 'snapshot' },
  },
  {
    what: "the team's room",
    room: s => `team:${s.teamId}`,
    answers: { ...strangers, member: 'snapshot', driver: 'snapshot' },
  },
  {
    what: "the session's room",
    room: s => `session:${s.sessionId}`,
    answers: { ...strangers, member: 'snapshot', driver: 'snapshot' },
  },
]

test.each(
  subscriptions.flatMap(({ what, room, answers }) =>
    byCaller(answers).map(each => ({ what, room, ...each })),
  ),
)('subscribing to $what as $who: $answer (R2)', async ({ room, who, answer }) => {
  const made = await scene()
  const connection = await connect(who)
  connection.send({ t: 'subscribe', room: room(made) as 'user:' })

  const asked = { room: room(made) }
  expect(
    await Promise.race([connection.next('snapshot'), connection.next('refused')]),
  ).toMatchObject(
    answer === 'snapshot' ? { t: 'snapshot', ...asked } : { t: 'refused', code: answer, ...asked },
  )
  connection.close()
  unchangedScene = made
})

/** Opens a live connection of this person, after its hello. */
function connect(who: Who): Promise<TestConnection> {
  return new TestConnection(app.url, { cookie: jarOf(who).header, origin: app.url }).greet()
}

test.each([
  ['stranger', 'not-a-member'],
  ['invited', 'not-a-member'],
  ['viewer', 'not-the-driver'],
  ['member', 'not-the-driver'],
  ['owner', 'not-the-driver'],
] as const)('driving as %s: %s (R5)', async (who, answer) => {
  const { sessionId } = await scene()
  const connection = await connect(who)
  connection.send({ t: 'drive', session: sessionId })
  expect((await connection.next('refused')).code).toBe(answer)

  connection.send({ t: 'fix', at: Date.now(), la: 50, lo: 5, v: 100, ac: 5 })
  expect(await connection.next('refused')).toMatchObject({ re: 'fix', code: 'not-the-driver' })
  connection.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  expect(await connection.next('refused')).toMatchObject({ re: 'receipt', code: 'not-the-driver' })
  connection.close()
})

test('a live connection needs a login (L2)', async () => {
  const connection = new TestConnection(app.url, { origin: app.url })
  expect(await connection.closed()).toBe(4100)
})

test('a page of another origin cannot open a connection with a cookie (L1)', async () => {
  const connection = new TestConnection(app.url, {
    origin: 'https://evil.example',
    cookie: people.driver.jar.header,
  })
  await expect(connection.opened()).rejects.toThrow('closed before it opened')
})

/** Files of a session's positions and laps. */
const exported = ['positions.csv', 'racechrono.csv', 'track.gpx', 'track.vbo', 'laps.csv']

/** Routes with content other than JSON, which the contract's table does not contain. */
const plainRoutes: Record<string, { call: PlainCall; answers: Answers }> = {
  'reporting contact': { call: contact, answers: forDriver },
  'the log as CSV': {
    call: ({ sessionId }, who) =>
      fetch(`${app.url}/api/v1/sessions/${sessionId}/messages.csv`, {
        headers: { cookie: jarOf(who).header },
      }),
    answers: forReaders,
  },
  'a circuit as a file': {
    call: ({ teamId }, who) =>
      fetch(`${app.url}/api/v1/teams/${teamId}/circuits/zolder/gpx`, {
        headers: { cookie: jarOf(who).header },
      }),
    answers: forReaders,
  },
  ...Object.fromEntries(
    exported.map(name => [
      name,
      {
        call: ({ sessionId }: Scene, who: Who) =>
          fetch(`${app.url}/api/v1/sessions/${sessionId}/${name}`, {
            headers: { cookie: jarOf(who).header },
          }),
        answers: forReaders,
      },
    ]),
  ),
  'importing a recording': {
    call: ({ teamId }, who) =>
      importRecording(app.url, jarOf(who), {
        teamId,
        name: 'Old race',
        file: 'utc_s,latitude_deg,longitude_deg\n1700000000,50,5\n1700000001,50,5.1\n',
      }),
    answers: forEditors,
  },
  'the export of an account': {
    call: (_scene, who) =>
      fetch(`${app.url}/api/v1/export.zip`, { headers: { cookie: jarOf(who).header } }),
    answers: forSignedIn,
  },
  'files.upload': {
    call: ({ teamId }, who) =>
      fileClient(app.url, jarOf(who)).send(
        formOf({ teamId, name: 'setup.txt', file: Buffer.from('Camber -2.5') }),
      ),
    answers: forEditors,
  },
  'files.get': {
    call: ({ teamId }, who) => fileClient(app.url, jarOf(who)).get({ teamId, name: 'nothing.txt' }),
    answers: { ...forReaders, member: 'not-found', driver: 'not-found' },
  },
}
type PlainCall = (scene: Scene, who: Who) => Promise<Response>

test.each(
  Object.entries(plainRoutes).flatMap(([name, { call, answers }]) =>
    byCaller(answers).map(each => ({ name, call, ...each })),
  ),
)('$name as $who: $answer', async ({ call, who, answer }) => {
  const made = await scene()
  const before = await stateBefore(made)
  const response = await call(made, who)
  const got = response.ok ? 'ok' : RefusalBody.parse(await response.json()).code
  expect(got).toBe(answer)
  if (answer === 'ok') return
  await expectUnchanged(made, before)
})

test('the driver reports contact by HTTP', async () => {
  const { sessionId } = await scene()

  const response = await contact({ sessionId }, 'driver')

  const session = await people.driver.call.sessions.get({ sessionId })
  expect(session).toMatchObject({ speedKmh: 120, latitude: 50.4, longitude: 5.9 })
  expect(await response.json()).toEqual({ lastDriverContactAt: session.lastDriverContactAt })
})

function jarOf(who: Who): CookieJar {
  if (who === 'nobody') return new CookieJar()
  return who === 'anonymous' ? anonymous : people[who].jar
}

async function contact({ sessionId }: Pick<Scene, 'sessionId'>, who: Who): Promise<Response> {
  const jar = jarOf(who)
  jar.store(await fetch(`${app.url}/api/auth.login`, { headers: { cookie: jar.header } }))
  return fetch(`${app.url}/api/v1/sessions/${sessionId}/contact`, {
    method: 'POST',
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }),
  })
}

test('a member who leaves receives nothing more of the team (R4)', async () => {
  const { teamId, sessionId } = await scene()
  const { member, driver } = people
  const connection = await member.connect()
  connection.send({ t: 'subscribe', room: `team:${teamId}` })
  await connection.next('snapshot')
  connection.send({ t: 'subscribe', room: `session:${sessionId}` })
  await connection.next('snapshot')

  await member.call.teams.leave({ teamId })
  await connection.next('team-removed')
  const refused = await connection.next('refused')
  expect(refused).toMatchObject({ room: `session:${sessionId}`, code: 'not-a-member' })
  await driver.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await driver.call.sessions.end({ sessionId })
  await connection.roundTrip()

  expect(connection.received('message')).toEqual([])
  expect(connection.received('session-ended')).toEqual([])
  connection.close()
})
