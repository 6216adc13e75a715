import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { joinCodeLength, joinCodeLetters } from '#contract/shared/joinCode.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { joinByCode, showCode } from '#testing/people/joinByCode.ts'
import type { Person } from '#testing/people/person.ts'

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

const mia = { firstName: 'Mia', lastName: 'Larsen' }
const refusedBecause = (detail: string) => ({ code: 'not-found', detail })

function newBrowser() {
  const jar = new CookieJar()
  return { jar, call: createClient(app.url, jar) }
}

/** Joins in a new browser, and waits. */
async function ask(code: string, name = mia, isSame?: boolean) {
  const browser = newBrowser()
  const joined = await browser.call.joinCodes.join({
    code,
    ...name,
    ...(isSame !== undefined && { isSame }),
  })
  return { ...browser, ...joined }
}

async function kinds(teamId: TeamId) {
  const { changes } = await ana.call.teams.changes({ teamId })
  return changes.map(({ kind, actor, person }) => [kind, actor, person])
}

test('a person with a code waits, is let in once, drives and sends messages', async () => {
  const team = await createTeam(ana, [leo], 'Night Owls')
  const shown = await showCode(ana, team.id, { asks: true })
  expect(shown.code).toMatch(new RegExp(`^[${joinCodeLetters}]{${joinCodeLength}}$`))
  const { call } = newBrowser()
  const typed = `${shown.code.slice(0, 3)} ${shown.code.slice(3).toLowerCase()}`
  expect(await call.joinCodes.find({ code: typed })).toEqual({
    teamId: team.id,
    team: 'Night Owls',
    shownBy: 'Ana Winter',
    role: 'member',
    asks: true,
    expiresAt: shown.expiresAt,
  })
  expect(await call.joinCodes.join({ code: typed, ...mia })).toMatchObject({ state: 'waiting' })
  const me = await call.users.me()
  expect(me).toMatchObject({ ...mia, email: null, isAnonymous: true, kind: 'joined' })
  await expect(call.teams.get({ teamId: team.id })).rejects.toMatchObject({ code: 'not-a-member' })

  const person = { teamId: team.id, userId: me.id }
  expect(await leo.call.joinCodes.waiting({ teamId: team.id })).toMatchObject([
    { userId: me.id, ...mia, takesOver: false },
  ])
  await Promise.all([leo.call.joinCodes.letIn(person), ana.call.joinCodes.letIn(person)])
  expect(await call.joinCodes.state({ teamId: team.id })).toEqual({
    state: 'in',
    team: 'Night Owls',
    role: 'member',
  })
  expect(await leo.call.joinCodes.waiting({ teamId: team.id })).toEqual([])
  expect((await kinds(team.id)).filter(([kind]) => kind === 'let-in')).toHaveLength(1)

  const session = await call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const other = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 2' })
  await call.messages.set({ sessionId: other.id, type: 'Pit', commandId: crypto.randomUUID() })
  expect((await ana.call.sessions.get({ sessionId: other.id })).message.type).toBe('Pit')
  expect((await ana.call.sessions.get({ sessionId: session.id })).driver).toMatchObject(mia)
})

test('a code that lets everybody in gives its role, until it is used up', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id, { role: 'viewer', maxUses: 1 })
  const [first, second] = await Promise.allSettled([
    ask(code),
    ask(code, { ...mia, firstName: 'Bo' }),
  ])
  const results = [first, second].map(({ status }) => status).sort()
  expect(results).toEqual(['fulfilled', 'rejected'])
  const members = await ana.call.teams.members({ teamId: team.id })
  expect(members.map(({ role }) => role).sort()).toEqual(['member', 'viewer'])
  await expect(ask(code)).rejects.toMatchObject(refusedBecause('join-code-used-up'))
})

test('two people who join in the same second are both in', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id)
  await Promise.all([ask(code), ask(code, { ...mia, firstName: 'Bo' })])
  expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(3)
  expect(await ana.call.joinCodes.list({ teamId: team.id })).toMatchObject([
    { code, uses: 2, maxUses: 20, shownBy: 'Ana Winter' },
  ])
})

test('a stopped or expired code lets nobody in, and ends no account', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const stopped = await showCode(ana, team.id)
  const { call } = await ask(stopped.code)
  await ana.call.joinCodes.stop({ teamId: team.id, codeId: stopped.id })
  await expect(ask(stopped.code)).rejects.toMatchObject(refusedBecause('join-code-ended'))
  expect(await call.teams.get({ teamId: team.id })).toMatchObject({ name: 'Night Owls' })
  expect(await ana.call.joinCodes.list({ teamId: team.id })).toEqual([])
  await expect(
    ana.call.joinCodes.stop({ teamId: team.id, codeId: stopped.id }),
  ).rejects.toMatchObject({ code: 'not-found' })

  const expired = await showCode(ana, team.id)
  await app.database.db
    .updateTable('join_codes')
    .set({ expires_at: new Date() })
    .where('id', '=', expired.id)
    .execute()
  await expect(ask(expired.code)).rejects.toMatchObject(refusedBecause('join-code-ended'))
  expect((await kinds(team.id)).map(([kind]) => kind)).toEqual([
    'code-shown',
    'code-stopped',
    'joined',
    'code-shown',
    'created',
  ])
})

test("a code is valid for at most four days, and ends with its author's membership", async () => {
  const team = await createTeam(ana, [leo], 'Night Owls')
  const shownFor = (ms: number) =>
    leo.call.joinCodes.show({
      teamId: team.id,
      role: 'member',
      asks: false,
      maxUses: 1,
      expiresAt: Date.now() + ms,
    })
  await expect(shownFor(4 * dayMs + 60_000)).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(shownFor(-1)).rejects.toMatchObject({ code: 'invalid-input' })
  const { code } = await shownFor(4 * dayMs - 60_000)
  await ana.call.teams.setRole({ teamId: team.id, userId: leo.id, role: 'viewer' })
  await expect(ask(code)).rejects.toMatchObject(refusedBecause('join-code-unknown'))
  await ana.call.teams.setRole({ teamId: team.id, userId: leo.id, role: 'member' })
  await newBrowser().call.joinCodes.find({ code })
  await leo.call.teams.leave({ teamId: team.id })
  await expect(ask(code)).rejects.toMatchObject(refusedBecause('join-code-unknown'))
})

test('a code beyond the limit of a team is refused', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  for (let count = 0; count < storedBounds.joinCodes.max; count++) await showCode(ana, team.id)
  await expect(showCode(ana, team.id)).rejects.toMatchObject({ detail: 'join-codes-too-many' })
})

test('as many people wait as a team may have, until one is answered', async () => {
  const team = await createTeam(ana, [], 'Popular')
  const { id, code } = await showCode(ana, team.id, { asks: true })
  await sql`
    with people as (
      insert into users (email) select gen_random_uuid() || '@example.com'
      from generate_series(1, ${storedBounds.joinRequests.max}::int) returning id
    )
    insert into join_requests (team_id, user_id, code_id, created_at)
    select ${team.id}::uuid, people.id, ${id}::uuid, now() from people
  `.execute(app.database.db)
  const refused = { code: 'invalid-input', detail: 'requests-too-many' }
  await expect(ask(code)).rejects.toMatchObject(refused)
  const [first] = await ana.call.joinCodes.waiting({ teamId: team.id })
  await ana.call.joinCodes.letIn({ teamId: team.id, userId: first?.userId ?? '' })
  expect(await ask(code)).toMatchObject({ state: 'waiting' })
})

test('a person who is turned away has no account any more, and their use is free again', async () => {
  const team = await createTeam(ana, [leo], 'Night Owls')
  const { code } = await showCode(ana, team.id, { asks: true, maxUses: 1 })
  const { call } = await ask(code)
  const { id: userId } = await call.users.me()
  await leo.call.joinCodes.turnAway({ teamId: team.id, userId })
  expect(await call.joinCodes.state({ teamId: team.id })).toEqual({ state: 'not-in' })
  expect((await call.auth.login()).login).toBeNull()
  await expect(ana.call.joinCodes.letIn({ teamId: team.id, userId })).rejects.toMatchObject({
    code: 'not-found',
  })
  expect(await ask(code)).toMatchObject({ state: 'waiting' })
  expect(await kinds(team.id)).toContainEqual(['turned-away', 'Leo Garnier', 'Mia Larsen'])
})

test('a person who cancels waits no more and has no account, but has used the code', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id, { asks: true, maxUses: 2 })
  const { call } = await ask(code)
  await call.joinCodes.withdraw({ teamId: team.id })
  expect(await ana.call.joinCodes.waiting({ teamId: team.id })).toEqual([])
  expect((await call.auth.login()).login).toBeNull()
  const kim = await app.person('Kim', 'Berg')
  await kim.call.joinCodes.join({ code })
  await kim.call.joinCodes.withdraw({ teamId: team.id })
  await expect(kim.call.joinCodes.withdraw({ teamId: team.id })).rejects.toMatchObject({
    code: 'not-found',
  })
  expect((await kim.call.auth.login()).login).not.toBeNull()
  await expect(ask(code)).rejects.toMatchObject({ code: 'not-found' })
})

test('who waits, and is in by another code, waits no more', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { call } = await ask((await showCode(ana, team.id, { asks: true })).code)
  const { code } = await showCode(ana, team.id)
  expect(await call.joinCodes.join({ code })).toMatchObject({ state: 'in' })
  expect(await ana.call.joinCodes.waiting({ teamId: team.id })).toEqual([])
})

test('who waits, and accepts an invitation, waits no more', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const kim = await app.person('Kim', 'Berg')
  await kim.call.joinCodes.join({ code: (await showCode(ana, team.id, { asks: true })).code })
  await ana.call.teams.invite({ teamId: team.id, ...kim.details })
  const [invitation] = await kim.call.teams.invitations()
  await kim.call.teams.accept({ invitationId: invitation?.id ?? '' })
  expect(await ana.call.joinCodes.waiting({ teamId: team.id })).toEqual([])
})

test('somebody with an account joins as they are', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id, { maxUses: 1 })
  const kim = await app.person('Kim', 'Berg')
  expect(await kim.call.joinCodes.join({ code })).toEqual({ teamId: team.id, state: 'in' })
  await expect(kim.call.joinCodes.find({ code })).rejects.toMatchObject(
    refusedBecause('join-code-used-up'),
  )
  expect(await ana.call.teams.members({ teamId: team.id })).toContainEqual(
    expect.objectContaining({ id: kim.id, email: kim.email }),
  )
})

test('a person without an account gives both names', async () => {
  const team = await createTeam(ana, [], 'Night Owls')
  const { code } = await showCode(ana, team.id)
  await expect(newBrowser().call.joinCodes.join({ code, firstName: 'Mia' })).rejects.toMatchObject({
    code: 'invalid-input',
    fields: { lastName: 'missing' },
  })
})

describe('the name of a member who joined before', () => {
  test('is taken over once a member confirms it, and the old phone is signed out', async () => {
    const team = await createTeam(ana, [], 'Night Owls')
    const { code } = await showCode(ana, team.id)
    const old = await ask(code)
    const bo = await joinByCode(app.url, ana, team.id, 'Bo')
    const before = await old.call.users.me()
    const session = await old.call.sessions.start({ teamId: team.id, name: 'Stint 1' })

    const typed = { firstName: 'mía', lastName: 'LARSEN' }
    expect(await ask(code, typed)).toMatchObject({ state: 'same-name' })
    const fresh = await ask(code, typed, true)
    expect(fresh.state).toBe('waiting')
    const [waiting] = await bo.call.joinCodes.waiting({ teamId: team.id })
    expect(waiting).toMatchObject({ takesOver: true })
    const asked = { teamId: team.id, userId: waiting?.userId ?? '' }
    await expect(bo.call.joinCodes.letIn(asked)).rejects.toMatchObject({ code: 'address-needed' })
    await ana.call.joinCodes.letIn(asked)

    expect(await fresh.call.users.me()).toEqual(before)
    expect(await fresh.call.joinCodes.state({ teamId: team.id })).toEqual({
      state: 'in',
      team: 'Night Owls',
      role: 'member',
    })
    await fresh.call.sessions.end({ sessionId: session.id })
    await expect(old.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(3)
    expect(await kinds(team.id)).toContainEqual(['taken-over', 'Ana Winter', 'Mia Larsen'])
  })

  test('is not taken over by somebody who has an own account or team by then', async () => {
    const team = await createTeam(ana, [], 'Night Owls')
    const other = await createTeam(leo, [], 'Early Birds')
    const { code } = await showCode(ana, team.id)
    const old = await ask(code)
    const fresh = await ask(code, mia, true)
    const me = await fresh.call.users.me()
    await fresh.call.joinCodes.join({ code: (await showCode(leo, other.id)).code })
    const { id: sessionId } = await fresh.call.sessions.start({ teamId: other.id, name: 'Stint 1' })

    await ana.call.joinCodes.letIn({ teamId: team.id, userId: me.id })
    expect(await fresh.call.users.me()).toEqual(me)
    expect((await fresh.call.teams.list()).map(({ name }) => name).sort()).toEqual([
      'Early Birds',
      'Night Owls',
    ])
    expect((await leo.call.sessions.get({ sessionId })).driver).toMatchObject({ id: me.id })
    expect(await old.call.teams.list()).toHaveLength(1)
    expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(3)
  })

  test('may be that of another person', async () => {
    const team = await createTeam(ana, [], 'Night Owls')
    const { code } = await showCode(ana, team.id)
    await ask(code)
    expect(await ask(code, mia, false)).toMatchObject({ state: 'in' })
    expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(3)
  })

  test('with an e-mail is not offered', async () => {
    const team = await createTeam(ana, [leo], 'Night Owls')
    const { code } = await showCode(ana, team.id)
    const { firstName, lastName } = leo.details
    expect(await ask(code, { firstName, lastName })).toMatchObject({ state: 'in' })
  })
})

describe('without an e-mail', () => {
  test('a person removed from their last team is signed out, and the session stays', async () => {
    const [one, two] = [await createTeam(ana, [], 'One'), await createTeam(ana, [], 'Two')]
    const joined = await joinByCode(app.url, ana, one.id, 'Mia')
    await joined.call.joinCodes.join({ code: (await showCode(ana, two.id)).code })
    const session = await joined.call.sessions.start({ teamId: one.id, name: 'Stint 1' })

    await ana.call.teams.removeMember({ teamId: one.id, userId: joined.id })
    expect(await joined.call.teams.list()).toMatchObject([{ name: 'Two' }])
    await ana.call.teams.removeMember({ teamId: two.id, userId: joined.id })
    await expect(joined.call.teams.list()).rejects.toMatchObject({ code: 'not-signed-in' })
    expect((await ana.call.sessions.get({ sessionId: session.id })).driver).toMatchObject(mia)
  })

  test('nobody owns a team while somebody else can', async () => {
    const team = await createTeam(ana, [], 'Night Owls')
    const joined = await joinByCode(app.url, ana, team.id, 'Mia')
    await expect(
      ana.call.teams.setRole({ teamId: team.id, userId: joined.id, role: 'owner' }),
    ).rejects.toMatchObject({ detail: 'owner-needs-account' })
    await leo.call.joinCodes.join({ code: (await showCode(ana, team.id)).code })
    await ana.call.teams.leave({ teamId: team.id })
    expect(await leo.call.teams.get({ teamId: team.id })).toMatchObject({ ownerId: leo.id })
  })

  test('an account can be deleted, and its data exported', async () => {
    const team = await createTeam(ana, [], 'Night Owls')
    const joined = await joinByCode(app.url, ana, team.id, 'Mia')
    const headers = { cookie: joined.jar.header }
    expect((await fetch(`${app.url}/api/v1/export.zip`, { headers })).status).toBe(200)
    await joined.call.users.delete({})
    await expect(joined.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await ana.call.teams.members({ teamId: team.id })).toHaveLength(1)
  })
})
