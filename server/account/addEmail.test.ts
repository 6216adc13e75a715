import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { addPasskey } from '#testing/people/addPasskey.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { type JoinedPerson, joinByCode } from '#testing/people/joinByCode.ts'
import { codeIn, type Person } from '#testing/people/person.ts'

// A person who joined by a code can sign in nowhere else until they have an e-mail or a passkey.

let app: TestApp
let ana: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana', 'Winter')
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.forgetLimits())

const newAddress = () => `mia-${crypto.randomUUID().slice(0, 8)}@example.com`

async function joinedTeam() {
  const team = await createTeam(ana, [], 'Night Owls')
  const joined = await joinByCode(app.url, ana, team.id, 'Mia')
  return { team, joined }
}

test('an e-mail added in the profile signs in anywhere, and nothing is lost', async () => {
  const { team, joined } = await joinedTeam()
  const session = await joined.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const connection = await ana.connect()
  connection.send({ t: 'subscribe', room: `team:${team.id}` })
  await connection.next('snapshot')
  const email = newAddress()
  await joined.call.users.sendEmailCodes({ email })
  const newCode = codeIn((await app.mails.next(email)).text)
  expect(await joined.call.users.changeEmail({ email, newCode })).toMatchObject({
    id: joined.id,
    email,
    kind: 'account',
  })
  expect(await connection.next('member-changed')).toMatchObject({
    member: { id: joined.id, email },
  })
  await joined.call.teams.invite({
    teamId: team.id,
    firstName: 'Bo',
    lastName: 'Larsen',
    email: newAddress(),
  })

  const elsewhere = createClient(app.url, new CookieJar())
  await elsewhere.auth.sendCode({ email })
  const code = await app.mails.nextCode(email)
  expect((await elsewhere.auth.verifyCode({ email, code })).user.id).toBe(joined.id)
  await elsewhere.sessions.end({ sessionId: session.id })
})

test('the address of another account is not added, and both stay as they are', async () => {
  const { joined } = await joinedTeam()
  const { email } = ana
  await joined.call.users.sendEmailCodes({ email })
  const newCode = codeIn((await app.mails.next(email)).text)
  await expect(joined.call.users.changeEmail({ email, newCode })).rejects.toMatchObject({
    code: 'email-taken',
  })
  expect(await joined.call.users.me()).toMatchObject({ id: joined.id, email: null })
})

async function signIn({ call }: JoinedPerson, email: string, attach?: boolean) {
  await call.auth.sendCode({ email })
  const code = await app.mails.nextCode(email)
  return call.auth.verifyCode({ email, code, ...(attach !== undefined && { attach }) })
}

test('signing in where somebody joined by a code asks whose e-mail it is', async () => {
  const { joined } = await joinedTeam()
  const email = newAddress()
  await expect(signIn(joined, email)).rejects.toMatchObject({ code: 'attach-first' })
  expect(await joined.call.users.me()).toMatchObject({ id: joined.id, email: null })
  expect((await signIn(joined, email, true)).user).toMatchObject({
    id: joined.id,
    email,
    kind: 'account',
  })
})

test('signing in with the e-mail of another account never merges the two', async () => {
  const { team, joined } = await joinedTeam()
  await expect(signIn(joined, ana.email, true)).rejects.toMatchObject({ code: 'email-taken' })
  expect(await joined.call.users.me()).toMatchObject({ id: joined.id, email: null })
  expect((await signIn(joined, ana.email, false)).user.id).toBe(ana.id)
  expect(await ana.call.teams.members({ teamId: team.id })).toContainEqual(
    expect.objectContaining({ id: joined.id, email: null }),
  )
})

test('an e-mail that is for somebody else makes an account of its own', async () => {
  const { joined } = await joinedTeam()
  const { user } = await signIn(joined, newAddress(), false)
  expect(user.id).not.toBe(joined.id)
})

test('a passkey signs in anywhere, and may invite', async () => {
  const { team, joined } = await joinedTeam()
  const { key } = await addPasskey(joined, app.url)
  expect(await joined.call.users.me()).toMatchObject({ email: null, kind: 'account' })
  const elsewhere = createClient(app.url, new CookieJar())
  const credential = key.get(await elsewhere.passkeys.startSignIn({}), { origin: app.url })
  const { user } = await elsewhere.passkeys.signIn({ credential })
  expect(user).toMatchObject({ id: joined.id, email: null, kind: 'account' })
  await elsewhere.teams.invite({
    teamId: team.id,
    firstName: 'Bo',
    lastName: 'Larsen',
    email: newAddress(),
  })
  await ana.call.teams.removeMember({ teamId: team.id, userId: joined.id })
  expect(await elsewhere.teams.list()).toEqual([])
})
