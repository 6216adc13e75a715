import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { connectTelevision } from '#testing/people/connectTelevision.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { triesPerUser } from './televisionCodes.ts'
import { maxTelevisions } from './televisions.ts'

let app: TestApp
let ana: Person
let leo: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana', 'Winter')
  leo = await app.person('Leo', 'Garnier')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.forgetLimits())

/** Creates a team of Ana's with Leo, who drives. */
async function newTeam() {
  const team = await createTeam(ana, [leo], 'Night Owls')
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  return { team, session }
}

function newTelevision() {
  const jar = new CookieJar()
  return { jar, call: createClient(app.url, jar) }
}

test('a member who enters the code of a television connects it, once', async () => {
  const { team, session } = await newTeam()
  const { call } = newTelevision()
  const { code, secret } = await call.televisions.requestCode()
  expect(code).toMatch(/^\d{6}$/)
  expect(await call.televisions.collect({ secret })).toEqual({ login: null })
  expect(await ana.call.televisions.find({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).toEqual(
    {
      code,
      browser: null,
      system: null,
      requestedAt: expect.any(Number),
      sameNetwork: true,
    },
  )

  await ana.call.televisions.allow({ teamId: team.id, code, name: 'Garage' })
  await expect(
    leo.call.televisions.allow({ teamId: team.id, code, name: 'Lounge' }),
  ).rejects.toMatchObject({ code: 'code-wrong' })
  const { login } = await call.televisions.collect({ secret })

  const television = { teamId: team.id, team: 'Night Owls' }
  expect(login).toMatchObject({ user: { isAnonymous: true, email: null }, television })
  expect((await call.auth.login()).login).toMatchObject({ television })
  expect(await call.sessions.listActive({ teamId: team.id })).toMatchObject([{ id: session.id }])
  await expect(call.televisions.collect({ secret })).rejects.toMatchObject({ code: 'code-dead' })
  expect(await ana.call.televisions.list({ teamId: team.id })).toMatchObject([
    { name: 'Garage', allowedBy: 'Ana Winter' },
  ])
  const { changes } = await ana.call.teams.changes({ teamId: team.id })
  expect(changes[0]).toMatchObject({
    kind: 'television-connected',
    actor: 'Ana Winter',
    person: 'Garage',
  })
})

test('the code alone signs nobody in', async () => {
  const { team } = await newTeam()
  const { call } = newTelevision()
  const { code, secret } = await call.televisions.requestCode()
  await ana.call.televisions.allow({ teamId: team.id, code, name: 'Garage' })
  const thief = newTelevision()
  await expect(
    thief.call.televisions.collect({
      secret: secret.replace(/^./, first => (first === 'A' ? 'B' : 'A')),
    }),
  ).rejects.toMatchObject({ code: 'code-dead' })
  await expect(thief.call.televisions.collect({ secret: code as never })).rejects.toMatchObject({
    code: 'invalid-input',
  })
})

test('an expired code neither connects a television nor signs it in', async () => {
  const { team } = await newTeam()
  const { call } = newTelevision()
  const { code, secret } = await call.televisions.requestCode()
  const expire = () =>
    app.database.db
      .updateTable('television_codes')
      .set({ expires_at: new Date(0) })
      .where('code', '=', code)
      .execute()
  await expire()
  await expect(ana.call.televisions.find({ code })).rejects.toMatchObject({ code: 'code-wrong' })
  await expect(
    ana.call.televisions.allow({ teamId: team.id, code, name: 'Garage' }),
  ).rejects.toMatchObject({ code: 'code-wrong' })
  await expect(call.televisions.collect({ secret })).rejects.toMatchObject({ code: 'code-dead' })
})

test('each try of a code counts, whether it is right or not', async () => {
  const { team } = await newTeam()
  const eve = await app.person('Eve')
  const { code } = await newTelevision().call.televisions.requestCode()
  for (let count = 0; count < triesPerUser; count++) {
    await expect(eve.call.televisions.find({ code: '1' })).rejects.toMatchObject({
      code: 'code-wrong',
    })
  }
  await expect(eve.call.televisions.find({ code })).rejects.toMatchObject({ code: 'too-many' })
  // Others are not affected.
  await ana.call.televisions.allow({ teamId: team.id, code, name: 'Garage' })
})

test('a television reads only the pit wall of its team, and changes nothing', async () => {
  const { team, session } = await newTeam()
  const other = await newTeamOfOthers()
  const { call } = await connectTelevision(app.url, ana, team.id)
  const sessionId = session.id
  expect((await call.sessions.get({ sessionId })).driver.lastName).toBe('Garnier')
  await call.laps.list({ sessionId })
  await call.circuits.ofSession({ sessionId })
  expect(await call.roster.get({ teamId: team.id })).toEqual({ cars: [], drivers: [] })
  expect((await call.carRaces.ofSession({ sessionId })).stints).toHaveLength(1)

  const refused = { code: 'insufficient-scope' }
  await expect(call.teams.members({ teamId: team.id })).rejects.toMatchObject(refused)
  await expect(call.messages.log({ sessionId })).rejects.toMatchObject(refused)
  await expect(call.positions.list({ sessionId, after: 0 } as never)).rejects.toMatchObject(refused)
  await expect(
    call.messages.set({ sessionId, type: 'Pit', commandId: crypto.randomUUID() }),
  ).rejects.toMatchObject({ code: 'address-needed' })
  const foreign = { code: 'not-a-member' }
  await expect(call.sessions.get({ sessionId: other.session.id })).rejects.toMatchObject(foreign)
  await expect(call.sessions.listActive({ teamId: other.team.id })).rejects.toMatchObject(foreign)
  await expect(call.laps.list({ sessionId: other.session.id })).rejects.toMatchObject(foreign)
  await expect(call.roster.get({ teamId: other.team.id })).rejects.toMatchObject(foreign)
  await expect(call.carRaces.ofSession({ sessionId: other.session.id })).rejects.toMatchObject(
    foreign,
  )
})

async function newTeamOfOthers() {
  const eve = await app.person('Eve')
  const team = await eve.call.teams.create({ name: 'Early Birds' })
  return { team, session: await eve.call.sessions.start({ teamId: team.id, name: 'Run' }) }
}

test('a television receives the sessions of its team, but not who is in it (R3)', async () => {
  const { team, session } = await newTeam()
  const other = await newTeamOfOthers()
  const { jar } = await connectTelevision(app.url, ana, team.id)
  const connection = await open(jar)
  await connection.subscribe(`session:${session.id}`)
  await ana.call.messages.set({
    sessionId: session.id,
    type: 'Pit',
    commandId: crypto.randomUUID(),
  })
  expect((await connection.next('message')).message.type).toBe('Pit')
  for (const room of [
    `team:${team.id}`,
    `session:${other.session.id}`,
    `user:${ana.id}`,
  ] as const) {
    connection.send({ t: 'subscribe', room })
    expect(await connection.next('refused')).toMatchObject({ room, code: 'not-a-member' })
  }
  // It is not listed among those who watch.
  const watching = await ana.connect()
  await watching.subscribe(`session:${session.id}`)
  expect((await watching.next('watching')).users).toEqual([ana.id])
  connection.close()
})

async function open(jar: CookieJar) {
  return new TestConnection(app.url, { cookie: jar.header, origin: app.url }).greet()
}

test('a disconnected television is signed out at once', async () => {
  const { team } = await newTeam()
  const { jar, call } = await connectTelevision(app.url, ana, team.id)
  const connection = await open(jar)
  const [listed] = await leo.call.televisions.list({ teamId: team.id })

  await leo.call.televisions.remove({ teamId: team.id, televisionId: listed?.id ?? '' })

  expect(await connection.closed()).toBe(4100)
  expect(await ana.call.televisions.list({ teamId: team.id })).toEqual([])
  await expect(call.sessions.listActive({ teamId: team.id })).rejects.toMatchObject({
    code: 'not-signed-in',
  })
  const { changes } = await ana.call.teams.changes({ teamId: team.id })
  expect(changes[0]).toMatchObject({ kind: 'television-removed', person: 'Garage' })
})

test('a television ends with the membership of the user who connected it, or the team', async () => {
  const { team, session } = await newTeam()
  const byLeo = await connectTelevision(app.url, leo, team.id)
  const byAna = await connectTelevision(app.url, ana, team.id)
  const waiting = newTelevision()
  const { code, secret } = await waiting.call.televisions.requestCode()
  await leo.call.televisions.allow({ teamId: team.id, code, name: 'Lounge' })
  const connections = [await open(byLeo.jar), await open(byAna.jar)] as const

  await ana.call.teams.removeMember({ teamId: team.id, userId: leo.id })
  expect(await connections[0].closed()).toBe(4100)
  await expect(waiting.call.televisions.collect({ secret })).rejects.toMatchObject({
    code: 'code-dead',
  })
  expect(await byAna.call.sessions.listActive({ teamId: team.id })).toHaveLength(1)

  await ana.call.sessions.end({ sessionId: session.id })
  await ana.call.teams.delete({ teamId: team.id })
  expect(await connections[1].closed()).toBe(4100)
})

test('a person who signs in on a television does not become its user', async () => {
  const { team } = await newTeam()
  const { call } = await connectTelevision(app.url, ana, team.id)
  const email = `new-${crypto.randomUUID()}@example.com`
  await call.auth.sendCode({ email, firstName: 'New', lastName: 'Face' })
  await call.auth.verifyCode({ email, code: await app.mails.nextCode(email) })
  await expect(call.sessions.listActive({ teamId: team.id })).rejects.toMatchObject({
    code: 'not-a-member',
  })
  expect(await call.teams.list()).toEqual([])
})

test('with one television too many, the least recently used one is disconnected', async () => {
  const { team } = await newTeam()
  const first = await connectTelevision(app.url, ana, team.id)
  await insertTelevisions(team.id, maxTelevisions - 1)
  expect(await ana.call.televisions.list({ teamId: team.id })).toHaveLength(maxTelevisions)
  await connectTelevision(app.url, ana, team.id)
  expect(await ana.call.televisions.list({ teamId: team.id })).toHaveLength(maxTelevisions)
  expect((await first.call.auth.login()).login).toBeNull()
})

/** Writes to the database, because so many calls would exceed the rate limit. */
async function insertTelevisions(teamId: string, count: number) {
  const { db } = app.database
  const users = await db
    .insertInto('users')
    .values(Array.from({ length: count }, () => ({ is_anonymous: true })))
    .returning('id')
    .execute()
  const later = new Date(Date.now() + 60_000)
  await db
    .insertInto('televisions')
    .values(
      users.map(({ id }) => ({
        user_id: id,
        team_id: teamId,
        name: 'Lounge',
        allowed_by: ana.id,
        created_at: later,
      })),
    )
    .execute()
  await db
    .insertInto('logins')
    .values(
      users.map(({ id }) => ({
        user_id: id,
        token_hash: randomBytes(32),
        device: null,
        scopes: ['wall' as const],
        last_used_at: later,
        expires_at: later,
      })),
    )
    .execute()
}
