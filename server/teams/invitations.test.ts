import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { deleteExpiredInvitations } from './invitations.ts'

let app: TestApp
let ana: Person
let leo: Person
let teamId: string

const noor = { firstName: 'Noor', lastName: 'Haddad' }

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana', 'Lindqvist')
  leo = await app.person('Leo', 'Garnier')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await app.forgetLimits()
  await app.database.db.deleteFrom('invitations').execute()
  teamId = (await ana.call.teams.create({ name: 'Night Owls' })).id
})

const newAddress = () => `${randomUUID()}@example.com`
const invite = (email = newAddress()) => ana.call.teams.invite({ teamId, ...noor, email })

describe('an invitation', () => {
  test('mails the inviter, the team and the link', async () => {
    const email = newAddress()
    await invite(email)
    const mail = await app.mails.next(email)
    expect(mail.subject).toBe('Ana Lindqvist invited you to Night Owls')
    expect(mail.text).toContain('Hello Noor')
    expect(mail.text).toContain(app.url)
  })

  test('responds with the input only, with or without an account', async () => {
    const [known, unknown] = [await invite(leo.email), await invite()]
    for (const [{ id, expiresAt, ...answer }, email] of [
      [known, leo.email],
      [unknown, unknown.email],
    ] as const) {
      expect(id).toMatch(/^[\da-f-]{36}$/)
      expect(expiresAt).toBeGreaterThan(Date.now() + 29 * dayMs)
      expect(answer).toEqual({ ...noor, email, mailed: true })
    }
    const again = [await invite(leo.email), await invite(unknown.email)]
    expect(again.map(({ id }) => id)).toEqual([known.id, unknown.id])
    const texts = [await app.mails.next(leo.email), await app.mails.next(unknown.email)]
    expect(texts[0]?.text).toContain(`/join/invitation/${known.id}`)
    expect(texts[0]?.text.replace(known.id, '')).toBe(texts[1]?.text.replace(unknown.id, ''))
  })

  test('makes nobody a member and reveals neither member nor session', async () => {
    await invite(leo.email)
    expect(await ana.call.teams.members({ teamId })).toHaveLength(1)
    const [invitation] = await leo.call.teams.invitations()
    expect(Object.keys(invitation ?? {}).sort()).toEqual([
      'expiresAt',
      'id',
      'invitedBy',
      'teamName',
    ])
    for (const call of [
      () => leo.call.teams.get({ teamId }),
      () => leo.call.teams.members({ teamId }),
      () => leo.call.teams.invited({ teamId }),
      () => leo.call.sessions.listActive({ teamId }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'not-a-member' })
    }
    await expect(leo.call.users.get({ userId: ana.id })).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(ana.call.users.get({ userId: leo.id })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('is listed for the team and for the invited person', async () => {
    const { id, expiresAt } = await invite(leo.email)
    expect(await ana.call.teams.invited({ teamId })).toEqual([
      { id, ...noor, email: leo.email, expiresAt },
    ])
    expect(await leo.call.teams.invitations()).toContainEqual({
      id,
      teamName: 'Night Owls',
      invitedBy: 'Ana Lindqvist',
      expiresAt,
    })
  })

  test('is found by somebody who signs up with the address later', async () => {
    const { id, email } = await invite()
    await app.mails.next(email)
    using newcomer = await createPerson(app.url, app.mails, { ...noor, email })
    expect((await newcomer.call.teams.invitations()).map(each => each.id)).toEqual([id])
    await newcomer.call.teams.accept({ invitationId: id })
    expect((await newcomer.call.teams.list()).map(each => each.id)).toEqual([teamId])
  })

  test('of a visible member is refused', async () => {
    const { id } = await invite(leo.email)
    await leo.call.teams.accept({ invitationId: id })
    await expect(invite(leo.email)).rejects.toMatchObject({ code: 'already-a-member' })
  })

  test('is unique per team and address, with the newest names', async () => {
    const { id, email } = await invite()
    const renewed = await ana.call.teams.invite({
      teamId,
      firstName: 'Nour',
      lastName: 'Hadad',
      email: email.toUpperCase(),
    })
    expect(renewed).toMatchObject({ id, firstName: 'Nour', email })
    expect(await ana.call.teams.invited({ teamId })).toMatchObject([{ id, firstName: 'Nour' }])
  })

  test('cannot be accepted after its date, and is deleted', async () => {
    const { id } = await invite(leo.email)
    const { db } = app.database
    await db.updateTable('invitations').set({ expires_at: new Date() }).execute()
    expect(await ana.call.teams.invited({ teamId })).toEqual([])
    expect(await leo.call.teams.invitations()).toEqual([])
    await expect(leo.call.teams.accept({ invitationId: id })).rejects.toMatchObject({
      code: 'not-found',
    })
    await deleteExpiredInvitations(db, Date.now())
    expect(await db.selectFrom('invitations').selectAll().execute()).toEqual([])
  })

  test('is kept if its mail fails, and inviting again sends it', async () => {
    const email = newAddress()
    app.mails.refuse(true)
    for (let n = 0; n < 4; n++) {
      await expect(invite(email)).rejects.toMatchObject({
        code: 'mail-not-sent',
        message: 'They are invited, but the email could not be sent. Try again.',
      })
    }
    app.mails.refuse(false)
    expect(await ana.call.teams.invited({ teamId })).toHaveLength(1)
    expect(await invite(email)).toMatchObject({ mailed: true })
    expect((await app.mails.next(email)).subject).toContain('Night Owls')
  })
})

describe('accepting', () => {
  test('makes a member, once, and notifies both sides', async () => {
    const { id } = await invite(leo.email)
    const own = await leo.connect()
    const pit = await ana.connect()
    pit.send({ t: 'subscribe', room: `team:${teamId}` })
    await pit.next('snapshot')

    const team = await leo.call.teams.accept({ invitationId: id })

    expect(team).toMatchObject({ id: teamId, name: 'Night Owls', ownerId: ana.id })
    expect(await leo.call.teams.get({ teamId })).toEqual(team)
    expect(await own.next('invitation-removed')).toMatchObject({ invitation: id })
    expect((await own.next('team-added')).team).toEqual(team)
    expect(await pit.next('invited-removed')).toMatchObject({ invited: id })
    expect((await pit.next('member-added')).member).toEqual({
      id: leo.id,
      firstName: 'Leo',
      lastName: 'Garnier',
      email: leo.email,
      role: 'member',
    })
    await expect(leo.call.teams.accept({ invitationId: id })).rejects.toMatchObject({
      code: 'not-found',
    })
    expect(await ana.call.teams.members({ teamId })).toHaveLength(2)
  })

  test('gives a user without a name the one the team typed', async () => {
    const { id, email } = await invite()
    await app.mails.next(email)
    using nameless = await createPerson(app.url, app.mails, { email } as never)
    const own = await nameless.connect()
    await nameless.call.teams.accept({ invitationId: id })
    expect(await nameless.call.users.me()).toMatchObject(noor)
    // The other open pages of this user show it, too.
    expect((await own.next('user-changed')).user).toMatchObject(noor)
  })

  test('races with withdrawing: exactly one succeeds', async () => {
    const { id } = await invite(leo.email)
    const outcomes = await Promise.allSettled([
      leo.call.teams.accept({ invitationId: id }),
      leo.call.teams.decline({ invitationId: id }),
      ana.call.teams.withdrawInvitation({ teamId, invitationId: id }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const isMember = outcomes[0]?.status === 'fulfilled'
    expect(await ana.call.teams.members({ teamId })).toHaveLength(isMember ? 2 : 1)
    expect(await ana.call.teams.invited({ teamId })).toEqual([])
  })
})

test('declining removes the invitation on both sides', async () => {
  const { id } = await invite(leo.email)
  const pit = await ana.connect()
  pit.send({ t: 'subscribe', room: `team:${teamId}` })
  await pit.next('snapshot')
  await leo.call.teams.decline({ invitationId: id })
  expect(await pit.next('invited-removed')).toMatchObject({ invited: id })
  expect(await ana.call.teams.invited({ teamId })).toEqual([])
  expect(await leo.call.teams.invitations()).toEqual([])
  expect(await ana.call.teams.members({ teamId })).toHaveLength(1)
})

test('an invitation names the team to whoever has its id, until it is answered', async () => {
  const { id: invitationId } = await invite(leo.email)
  const nobody = createClient(app.url, new CookieJar())
  expect(await nobody.teams.openInvitation({ invitationId })).toEqual({
    id: invitationId,
    teamName: 'Night Owls',
    invitedBy: expect.any(String),
    expiresAt: expect.any(Number),
    email: leo.email,
  })
  await leo.call.teams.decline({ invitationId })
  await expect(nobody.teams.openInvitation({ invitationId })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('a mistyped invitation gives a stranger nothing and can be withdrawn', async () => {
  const stranger = await app.person('Eve')
  const connection = await stranger.connect()
  const { id } = await invite(stranger.email)
  expect((await connection.next('invitation-added')).invitation).toMatchObject({
    id,
    teamName: 'Night Owls',
  })
  connection.send({ t: 'subscribe', room: `team:${teamId}` })
  expect((await connection.next('refused')).code).toBe('not-a-member')

  await ana.call.teams.withdrawInvitation({ teamId, invitationId: id })
  expect(await connection.next('invitation-removed')).toMatchObject({ invitation: id })
  await expect(stranger.call.teams.accept({ invitationId: id })).rejects.toMatchObject({
    code: 'not-found',
  })
  expect(await stranger.call.teams.list()).toEqual([])
})

test('an invitation of another person cannot be answered', async () => {
  const { id } = await invite(leo.email)
  const eve = await app.person('Eve')
  for (const call of [eve.call.teams.accept, eve.call.teams.decline, ana.call.teams.accept]) {
    await expect(call({ invitationId: id })).rejects.toMatchObject({ code: 'not-found' })
  }
  const elsewhere = await eve.call.teams.create({ name: 'Elsewhere' })
  await expect(
    eve.call.teams.withdrawInvitation({ teamId: elsewhere.id, invitationId: id }),
  ).rejects.toMatchObject({ code: 'not-found' })
  expect(await ana.call.teams.invited({ teamId })).toHaveLength(1)
})

test('a new invitation reaches the snapshots of both rooms', async () => {
  const { id, expiresAt } = await invite(leo.email)
  const connection = await leo.connect()
  connection.send({ t: 'subscribe', room: `user:${leo.id}` })
  const { snapshot } = await connection.next('snapshot')
  expect(snapshot).toMatchObject({ of: 'user', invitations: [{ id, teamName: 'Night Owls' }] })
  const pit = await ana.connect()
  pit.send({ t: 'subscribe', room: `team:${teamId}` })
  expect((await pit.next('snapshot')).snapshot).toMatchObject({
    of: 'team',
    invited: [{ id, ...noor, email: leo.email, expiresAt }],
  })
})
