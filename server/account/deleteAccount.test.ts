import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Refusal } from '#contract/refusal.ts'
import { expectLockedInOrder, idsAround } from '#testing/database/sessionLocks.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { createPerson, type Person } from '#testing/people/person.ts'

const recentSignInMs = 15 * 60_000
const memberRow = { role: 'member' } as const
let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())

function deleteAccount(person: Person) {
  return person.call.users.delete({ email: person.email.toUpperCase() })
}

test('deleting an account removes all that identifies it', async () => {
  const { app, ana } = scene
  const { db } = app.database
  const eve = await app.person('Eve', 'Winter')
  const { id: teamId } = await createTeam(ana, [eve], 'Night Owls')
  const own = await eve.call.teams.create({ name: 'Alone' })
  const session = await eve.call.sessions.start({ teamId, name: 'Stint 1' })
  const sessionId = session.id
  await addPasskey(eve, app.url)
  await fileClient(app.url, eve.jar).send(
    formOf({ teamId: own.id, name: 'setup.txt', file: Buffer.from('Camber -2.5') }),
  )
  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await eve.call.messages.set({ sessionId, type: 'Push', commandId: randomUUID() })
  const other = await ana.call.teams.create({ name: 'Inviting' })
  await ana.call.teams.invite({ teamId: other.id, ...eve.details })
  const driver = { id: randomUUID(), name: 'Eve Winter', userId: eve.id }
  await ana.call.roster.saveDriver({ teamId, driver })
  await eve.call.stints.setAutoPit({ sessionId, on: true })
  const car = await (await eve.connect()).drive(sessionId)
  car.send(fix())
  await car.roundTrip()
  const wall = await subscribedConnection(ana, `team:${teamId}`)

  await deleteAccount(eve)

  expect(await wall.next('session-ended')).toMatchObject({ session: sessionId })
  expect(await wall.next('member-removed')).toMatchObject({ member: eve.id })
  expect(await car.closed()).toBe(4100)
  await app.mails.nextTitled(eve.email, 'Your Pitboard account was deleted')
  await expect(eve.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
  expect(await ana.call.teams.members({ teamId })).toMatchObject([{ id: ana.id, ...memberRow }])
  expect(await ana.call.teams.invited({ teamId: other.id })).toEqual([])
  const seen = await ana.call.sessions.get({ sessionId })
  expect(seen).toMatchObject({
    status: 'Complete',
    latitude: null,
    driver: { firstName: 'Deleted', lastName: 'user', email: null },
  })
  const { drivers } = await ana.call.roster.get({ teamId })
  expect(drivers).toMatchObject([{ name: 'Deleted user', userId: eve.id }])
  expect(await ana.call.carRaces.ofSession({ sessionId })).toMatchObject({ autoPit: false })
  expect(await ana.call.messages.log({ sessionId })).toMatchObject([
    { type: 'Push', sentBy: { firstName: 'Deleted', email: null } },
    { type: 'Pit', sentBy: { firstName: 'Ana' } },
  ])
  const rows = async (table: 'passkeys' | 'logins' | 'memberships') =>
    db
      .selectFrom(table as 'passkeys')
      .select('user_id')
      .where('user_id', '=', eve.id)
      .execute()
  for (const table of ['passkeys', 'logins', 'memberships'] as const)
    expect(await rows(table)).toEqual([])
  expect(
    await db.selectFrom('positions').select('at').where('session_id', '=', sessionId).execute(),
  ).toEqual([])
  const { deleted_at } = await db
    .selectFrom('teams')
    .select('deleted_at')
    .where('id', '=', own.id)
    .executeTakeFirstOrThrow()
  expect(deleted_at?.getTime()).toBe(0)
})

test('a deleted person keeps their driver, who takes no session of another one', async () => {
  const { app, ana } = scene
  const [eve, max] = [await app.person('Eve', 'Winter'), await app.person('Max', 'Winter')]
  const { id: teamId } = await createTeam(ana, [eve, max], 'Night Owls')
  const linked = { id: randomUUID(), name: 'E. Winter', userId: eve.id }
  const typed = { id: randomUUID(), name: 'Deleted user', userId: null }
  const starter = async (person: Person) => {
    const { id: sessionId } = await person.call.sessions.start({ teamId, name: 'Stint 1' })
    await deleteAccount(person)
    return async () => {
      const { phones } = await ana.call.carRaces.ofSession({ sessionId })
      return phones.map(({ starterId }) => starterId)
    }
  }
  await ana.call.roster.saveDriver({ teamId, driver: linked })
  const [starterOfEve, starterOfMax] = [await starter(eve), await starter(max)]
  expect(await starterOfEve()).toEqual([linked.id])
  expect(await starterOfMax()).toEqual([null])
  await ana.call.roster.saveDriver({ teamId, driver: typed })
  expect(await starterOfMax()).toEqual([null])
})

test('the driver who is a deleted person by name loses the name, too', async () => {
  const { app, ana } = scene
  const eve = await app.person('Eve', 'Winter')
  const { id: teamId } = await createTeam(ana, [eve], 'Night Owls')
  const { id: other } = await createTeam(ana, [eve], 'Kestrel')
  const named = { id: randomUUID(), name: 'eve winter', userId: null }
  await ana.call.roster.saveDriver({ teamId, driver: named })
  // Two drivers with the name of the person: it is not known which one is meant.
  for (const id of [randomUUID(), randomUUID()])
    await ana.call.roster.saveDriver({ teamId: other, driver: { ...named, id } })
  const { id: sessionId } = await eve.call.sessions.start({ teamId, name: 'Stint 1' })
  await eve.call.sessions.end({ sessionId })
  await eve.call.sessions.start({ teamId: other, name: 'Stint 1' })
  await eve.call.teams.leave({ teamId: other })
  const wall = await subscribedConnection(ana, `team:${teamId}`)

  await deleteAccount(eve)

  expect(await wall.next('race-changed')).toMatchObject({ team: teamId })
  const { drivers, phones } = await ana.call.carRaces.ofSession({ sessionId })
  expect(drivers).toMatchObject([{ id: named.id, name: 'Deleted user', userId: eve.id }])
  expect(phones).toMatchObject([{ person: 'Deleted user', starterId: named.id }])
  const others = (await ana.call.roster.get({ teamId: other })).drivers
  expect(others).toMatchObject([{ name: named.name }, { name: named.name }])
})

test('a session that another page starts during the deletion ends, too', async () => {
  const { app, ana } = scene
  const { id: teamId } = await ana.call.teams.create({ name: 'Night Owls' })
  const eve = await app.person('Eve')
  await addMember(ana, teamId, eve)
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const start = async (): Promise<number> => {
    try {
      await eve.call.sessions.start({ teamId, name: 'Stint 1' })
      begin()
      return 1 + (await start())
    } catch (error) {
      return error instanceof Refusal && error.code === 'already-driving' ? start() : 0
    }
  }
  const starting = start()
  // The deletion may otherwise end before the first start arrives.
  await begun
  const [started] = await Promise.all([starting, deleteAccount(eve)])
  expect(started).toBeGreaterThan(0)
  expect(await ana.call.sessions.listActive({ teamId })).toEqual([])
})

test('the sessions of former members end with the team of its last member', async () => {
  const { app } = scene
  const [kim, max] = [await app.person('Kim'), await app.person('Max')]
  const { id: teamId } = await createTeam(kim, [max], 'Night Owls')
  await max.call.sessions.start({ teamId, name: 'Stint 1' })
  await max.call.teams.leave({ teamId })
  await deleteAccount(kim)
  expect(
    await app.database.db
      .selectFrom('sessions')
      .select('status')
      .where('team_id', '=', teamId)
      .execute(),
  ).toEqual([{ status: 'Complete' }])
})

test('the same address signs up again as a new user', async () => {
  const max = await scene.app.person('Max')
  await deleteAccount(max)
  using again = await createPerson(scene.app.url, scene.app.mails, max.details)
  expect(again.id).not.toBe(max.id)
  expect(await again.call.teams.list()).toEqual([])
})

test('a shared team passes to the member who has been in it longest', async () => {
  const { app, ana, leo } = scene
  const kim = await app.person('Kim')
  const { id: teamId } = await createTeam(kim, [leo], 'Kestrel')
  await addMember(kim, teamId, ana)
  await deleteAccount(kim)
  expect(await leo.call.teams.get({ teamId })).toMatchObject({ ownerId: leo.id })
  expect((await leo.call.teams.changes({ teamId })).changes[0]).toMatchObject({
    kind: 'left',
    actor: 'Deleted user',
  })
})

test('the typed address, a recent sign-in and a browser are required', async () => {
  const { app } = scene
  const noor = await app.person('Noor')
  await expect(noor.call.users.delete({ email: scene.ana.email })).rejects.toMatchObject({
    code: 'invalid-input',
    fields: { email: 'email-not-yours' },
  })
  await app.database.db
    .updateTable('logins')
    .set({ created_at: new Date(Date.now() - recentSignInMs - 1000) })
    .where('user_id', '=', noor.id)
    .execute()
  await expect(deleteAccount(noor)).rejects.toMatchObject({ code: 'recent-sign-in-needed' })
  await app.database.db
    .updateTable('logins')
    .set({ created_at: new Date(), device: 'Logger', scopes: ['drive', 'read', 'send'] })
    .where('user_id', '=', noor.id)
    .execute()
  await expect(deleteAccount(noor)).rejects.toMatchObject({ code: 'insufficient-scope' })
  expect(await noor.call.users.me()).toMatchObject({ email: noor.email })
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'deleting an account ends sessions in the order in which fixes and laps lock them',
  async () => {
    const { app } = scene
    const { db } = app.database
    const eve = await app.person('Eve', 'Winter')
    const ids = idsAround(randomUUID())
    const teams = [
      await eve.call.teams.create({ name: 'One' }),
      await eve.call.teams.create({ name: 'Two' }),
    ]
    // Neither the order of the rows nor that of an index by team is that of the sessions' ids.
    const teamIds = teams.map(({ id }) => id).toSorted()
    for (const [index, id] of ids.entries()) {
      const session = { id, team_id: teamIds[index]!, user_id: eve.id, name: 'Stint 1' }
      await db.insertInto('sessions').values(session).execute()
    }
    await expectLockedInOrder(db, ids, () => deleteAccount(eve))
    const ended = db.selectFrom('sessions').select('status').where('id', 'in', ids)
    expect(await ended.execute()).toEqual(ids.map(() => ({ status: 'Complete' })))
  },
)
