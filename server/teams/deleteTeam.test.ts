import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'
import { removeDeletedTeams } from './deleteTeam.ts'

let scene: LiveScene
/** Owns the teams. */
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())

/** Deletes a team whose session with one stored position has ended. */
async function deletedTeam() {
  const { team, session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  car.send(fix())
  await car.roundTrip()
  await leo.call.sessions.end({ sessionId: session.id })
  await expect
    .poll(() =>
      scene.app.database.db
        .selectFrom('positions')
        .select('at')
        .where('session_id', '=', session.id)
        .execute(),
    )
    .toHaveLength(1)
  await ana.call.teams.delete({ teamId: team.id })
  return { teamId: team.id, sessionId: session.id }
}

/** Ana's deleted team with this id, as she sees it. */
async function deletedAs(teamId: string) {
  return (await ana.call.teams.listDeleted()).find(({ id }) => id === teamId)
}

test('a deleted team disappears for everybody at once', async () => {
  const { team, session } = await scene.newSession()
  await leo.call.sessions.end({ sessionId: session.id })
  const noor = await scene.app.person('Noor')
  await ana.call.teams.invite({ teamId: team.id, ...noor.details })
  const wall = await subscribedConnection(leo, `team:${team.id}`)
  const invited = await noor.connect()

  await ana.call.teams.delete({ teamId: team.id })

  expect(await wall.next('team-removed')).toMatchObject({ team: team.id })
  expect(await invited.next('invitation-removed')).toBeDefined()
  expect(await noor.call.teams.invitations()).toEqual([])
  for (const who of [ana, leo]) {
    expect((await who.call.teams.list()).map(({ id }) => id)).not.toContain(team.id)
    for (const call of [
      () => who.call.teams.get({ teamId: team.id }),
      () => who.call.sessions.get({ sessionId: session.id }),
      () => who.call.sessions.start({ teamId: team.id, name: 'Stint 2' }),
      () => who.call.teams.rename({ teamId: team.id, name: 'Back' }),
      () => who.call.teams.delete({ teamId: team.id }),
      () => who.call.teams.leave({ teamId: team.id }),
      () => who.call.files.list({ teamId: team.id }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'not-a-member' })
  }
  wall.send({ t: 'subscribe', room: `team:${team.id}` })
  expect((await wall.next('refused')).code).toBe('not-a-member')
})

test('a team with an active session cannot be deleted', async () => {
  const { team } = await scene.newSession()
  await expect(ana.call.teams.delete({ teamId: team.id })).rejects.toMatchObject({
    code: 'team-driving',
  })
  expect(await ana.call.teams.get({ teamId: team.id })).toMatchObject({ id: team.id })
})

test('the owner restores the team with its members, roles, photos and sessions', async () => {
  const { team, session } = await scene.newSession()
  await leo.call.sessions.end({ sessionId: session.id })
  await ana.call.teams.setRole({ teamId: team.id, userId: leo.id, role: 'viewer' })
  await fileClient(scene.app.url, ana.jar).send(
    formOf({ teamId: team.id, name: 'setup.txt', file: Buffer.from('Camber -2.5') }),
  )
  const before = await ana.call.teams.members({ teamId: team.id })
  await ana.call.teams.delete({ teamId: team.id })
  const listed = await deletedAs(team.id)
  expect(listed).toMatchObject({ id: team.id, name: team.name })
  expect(listed?.restorableUntil).toBeGreaterThan(Date.now() + 6.9 * dayMs)
  expect(await leo.call.teams.listDeleted()).toEqual([])
  await expect(leo.call.teams.restore({ teamId: team.id })).rejects.toMatchObject({
    code: 'not-found',
  })

  const own = await leo.connect()
  expect(await ana.call.teams.restore({ teamId: team.id })).toMatchObject({ id: team.id })

  expect((await own.next('team-added')).team).toMatchObject({ id: team.id, role: 'viewer' })
  expect(await ana.call.teams.members({ teamId: team.id })).toEqual(before)
  expect((await leo.call.sessions.get({ sessionId: session.id })).name).toBe(session.name)
  expect(await ana.call.files.list({ teamId: team.id })).toHaveLength(1)
  expect(await deletedAs(team.id)).toBeUndefined()
})

test('seven days later the team is removed with all its data', async () => {
  const { teamId, sessionId } = await deletedTeam()
  const { db } = scene.app.database
  await sql`insert into circuits (team_id, id, source) values (${teamId}, 'spa', 'shipped')`.execute(
    db,
  )
  await sql`insert into circuit_versions
    (team_id, circuit_id, version, change, outline, line, line_source, length_m, direction)
    values (${teamId}, 'spa', 1, 'created', '[]', '[]', 'data', 7004, 'clockwise')`.execute(db)
  await sql`update sessions set circuit_id = 'spa', circuit_version = 1 where id = ${sessionId}`.execute(
    db,
  )
  const count = async () => ({
    teams: (await db.selectFrom('teams').select('id').where('id', '=', teamId).execute()).length,
    sessions: (await db.selectFrom('sessions').select('id').where('id', '=', sessionId).execute())
      .length,
    positions: (
      await db.selectFrom('positions').select('at').where('session_id', '=', sessionId).execute()
    ).length,
    changes: (
      await db.selectFrom('team_changes').select('id').where('team_id', '=', teamId).execute()
    ).length,
  })
  await removeDeletedTeams(db, Date.now() + 6.9 * dayMs)
  expect(await count()).toMatchObject({ teams: 1, sessions: 1, positions: 1 })
  await removeDeletedTeams(db, Date.now() + 7.1 * dayMs)
  expect(await count()).toEqual({ teams: 0, sessions: 0, positions: 0, changes: 0 })
  await expect(ana.call.teams.restore({ teamId })).rejects.toMatchObject({ code: 'not-found' })
  expect(await deletedAs(teamId)).toBeUndefined()
})

test('a team is deleted with its last member, who can restore it', async () => {
  const { team, session } = await scene.newSession()
  const { id: teamId } = team
  await ana.call.teams.leave({ teamId })
  await expect(leo.call.teams.leave({ teamId })).rejects.toMatchObject({ code: 'team-driving' })
  await leo.call.sessions.end({ sessionId: session.id })
  const noor = await scene.app.person('Noor')
  await leo.call.teams.invite({ teamId, ...noor.details })
  const own = await subscribedConnection(leo, `team:${teamId}`)

  await leo.call.teams.leave({ teamId })

  expect(await own.next('team-removed')).toMatchObject({ team: teamId })
  expect((await leo.call.teams.list()).map(({ id }) => id)).not.toContain(teamId)
  expect(await noor.call.teams.invitations()).toEqual([])
  expect(await leo.call.teams.listDeleted()).toMatchObject([{ id: teamId }])
  expect(await leo.call.teams.restore({ teamId })).toMatchObject({ ownerId: leo.id })
  expect((await leo.call.teams.changes({ teamId })).changes.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['restored', 'deleted']),
  )
})

test('the last two members, who leave at once, delete the team', async () => {
  const { team, session } = await scene.newSession()
  await leo.call.sessions.end({ sessionId: session.id })
  await Promise.all([ana, leo].map(({ call }) => call.teams.leave({ teamId: team.id })))
  const listed = await Promise.all([ana, leo].map(({ call }) => call.teams.listDeleted()))
  expect(listed.flat().filter(({ id }) => id === team.id)).toHaveLength(1)
})

test('a team that nobody belongs to is removed', async () => {
  const { id: teamId } = await ana.call.teams.create({ name: 'Night Owls' })
  const { db } = scene.app.database
  await removeDeletedTeams(db, Date.now())
  expect(await ana.call.teams.get({ teamId })).toMatchObject({ id: teamId })
  await sql`delete from memberships where team_id = ${teamId}`.execute(db)
  await removeDeletedTeams(db, Date.now())
  expect(await db.selectFrom('teams').select('id').where('id', '=', teamId).execute()).toEqual([])
})

test('a team that cannot be removed holds up no other team', async () => {
  const { db } = scene.app.database
  const teams = await Promise.all(
    ['Stuck', 'Stuck', 'Night Owls'].map(name => ana.call.teams.create({ name })),
  )
  const ids = teams.map(({ id }) => id)
  for (const id of ids) await sql`delete from memberships where team_id = ${id}`.execute(db)
  await sql`
    create function keep() returns trigger language plpgsql as
    'begin raise numeric_value_out_of_range; end'`.execute(db)
  await sql`create trigger keep before delete on teams for each row
    when (old.name = 'Stuck') execute function keep()`.execute(db)
  await expect(removeDeletedTeams(db, Date.now())).rejects.toThrow(AggregateError)
  await sql`drop trigger keep on teams`.execute(db)
  const left = await db.selectFrom('teams').select('name').where('id', 'in', ids).execute()
  expect(left).toEqual([{ name: 'Stuck' }, { name: 'Stuck' }])
})

test('the history of a team names who changed what', async () => {
  const kim = await scene.app.person('Kim')
  const { id: teamId } = await ana.call.teams.create({ name: 'Nigth Owls' })
  await ana.call.teams.rename({ teamId, name: 'Night Owls' })
  await ana.call.teams.rename({ teamId, name: 'Night Owls' })
  await addMember(ana, teamId, leo)
  await addMember(ana, teamId, kim)
  const mia = await scene.app.person('Mia')
  const { id } = await leo.call.teams.invite({ teamId, ...mia.details })
  await mia.call.teams.decline({ invitationId: id })
  const again = await leo.call.teams.invite({ teamId, ...mia.details })
  await ana.call.teams.withdrawInvitation({ teamId, invitationId: again.id })
  await ana.call.teams.setRole({ teamId, userId: kim.id, role: 'viewer' })
  await ana.call.teams.removeMember({ teamId, userId: kim.id })
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'owner' })
  await ana.call.teams.leave({ teamId })

  const { changes, next } = await leo.call.teams.changes({ teamId })

  const nameOf = ({ details }: Person) => `${details.firstName} ${details.lastName}`
  const [a, l, k, m] = [ana, leo, kim, mia].map(nameOf)
  expect(changes.map(({ kind, actor, person }) => [kind, actor, person])).toEqual([
    ['left', a, null],
    ['handed-over', a, l],
    ['removed', a, k],
    ['made-viewer', a, k],
    ['invitation-withdrawn', a, m],
    ['invited', l, m],
    ['invitation-declined', null, m],
    ['invited', l, m],
    ['joined', k, null],
    ['invited', a, k],
    ['joined', l, null],
    ['invited', a, l],
    ['renamed', a, null],
    ['created', a, null],
  ])
  expect(changes.at(-2)).toMatchObject({ before: 'Nigth Owls', after: 'Night Owls' })
  expect(next).toBeNull()
  const before = changes.at(2)?.id ?? 0
  expect(await leo.call.teams.changes({ teamId, before })).toEqual({
    changes: changes.slice(3),
    next: null,
  })
})
