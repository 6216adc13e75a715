import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import type { Person } from '#testing/person.ts'

let app: TestApp
let ana: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana', 'Lindqvist')
})
afterAll(() => app[Symbol.asyncDispose]())

const noor = { firstName: 'Noor', lastName: 'Haddad' }

test('teams are listed by name, only to their members', async () => {
  const person = await app.person('Zoe')
  for (const name of ['Zebras', 'antelopes', 'Éclair', 'Eagles']) {
    await person.call.teams.create({ name })
  }
  const names = (await person.call.teams.list()).map(team => team.name)
  expect(names).toEqual(['antelopes', 'Eagles', 'Éclair', 'Zebras'])
  expect(await (await app.person('Yan')).call.teams.list()).toEqual([])
})

test('a name keeps its inner spaces and loses the outer ones', async () => {
  const team = await ana.call.teams.create({ name: '  Night  Owls ' })
  expect(team.name).toBe('Night  Owls')
})

test('somebody new is a member at once, and signs up into the team with a name of their own', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const email = 'noor@example.com'
  const invited = await ana.call.teams.invite({ teamId: team.id, ...noor, email })
  expect(invited).toMatchObject({ ...noor, email })
  const mail = await app.mails.next(email)
  expect(mail.subject).toContain('Night Owls')
  expect(mail.text).toContain('Ana Lindqvist')
  expect(mail.text).toContain(app.url)

  const members = await ana.call.teams.members({ teamId: team.id })
  expect(members.map(member => member.lastName)).toEqual(['Haddad', 'Lindqvist'])
})

test('a member who has signed in is not invited twice; one who never came gets another mail', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const leo = await app.person('Leo')
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  await expect(ana.call.teams.invite({ teamId: team.id, ...leo.details })).rejects.toMatchObject({
    code: 'already-a-member',
  })

  const email = 'never@example.com'
  await ana.call.teams.invite({ teamId: team.id, ...noor, email })
  await app.mails.next(email)
  await ana.call.teams.invite({ teamId: team.id, ...noor, email })
  await app.mails.next(email)
  expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(3)
})

test('when the mail does not go out the inviter is told, and inviting again sends it', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const email = 'late@example.com'
  app.mails.refuse(true)
  await expect(ana.call.teams.invite({ teamId: team.id, ...noor, email })).rejects.toMatchObject({
    code: 'mail-not-sent',
  })
  app.mails.refuse(false)
  await ana.call.teams.invite({ teamId: team.id, ...noor, email })
  expect((await app.mails.next(email)).subject).toContain('Night Owls')
})

test('nobody can be flooded with invitations, nor flood', async () => {
  await app.forgetLimits()
  const inviter = await app.person('Flo')
  const team = await inviter.call.teams.create({ name: 'Flood' })
  const invite = (n: number) =>
    inviter.call.teams.invite({ teamId: team.id, ...noor, email: `flood-${n}@example.com` })
  for (let n = 0; n < 30; n++) await invite(n)
  await expect(invite(30)).rejects.toMatchObject({ code: 'too-many' })
  expect(await inviter.call.teams.members({ teamId: team.id })).toHaveLength(31)
})

test('who is at the pit wall now: members that have the team open', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const leo = await app.person('Leo')
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  await leo.call.users.setActiveTeam({ teamId: team.id })
  expect(await ana.call.teams.present({ teamId: team.id })).toEqual([
    expect.objectContaining({ id: leo.id }),
  ])
  await leo.call.users.setActiveTeam({ teamId: null })
  expect(await ana.call.teams.present({ teamId: team.id })).toEqual([])
})

test('who leaves is gone from the team, and their session there ends', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const leo = await app.person('Leo')
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  await leo.call.users.setActiveTeam({ teamId: team.id })
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const line = await ana.line()
  line.send({ t: 'watch', room: `team:${team.id}` })
  await line.next('snapshot')

  await leo.call.teams.leave({ teamId: team.id })

  expect(await line.next('session-ended')).toMatchObject({ session: session.id })
  expect(await line.next('member-removed')).toMatchObject({ member: leo.id })
  expect(await ana.call.sessions.listActive({ teamId: team.id })).toEqual([])
  expect(await leo.call.teams.list()).not.toContainEqual(team)
  expect(await leo.call.users.me()).toMatchObject({ status: 'Inactive', activeTeamId: null })
})
