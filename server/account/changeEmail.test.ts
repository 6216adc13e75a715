import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { codeIn, type Person } from '#testing/people/person.ts'
import { emailChangesPerDay } from './changeEmail.ts'

let app: TestApp
let ana: Person

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await app.forgetLimits()
  ana = await app.person('Ana')
})

/** Requests the codes of a change to this address and reads both from the mails. */
async function codesFor(person: Person, email: string) {
  await person.call.users.sendEmailCodes({ email })
  return {
    email,
    currentCode: codeIn((await app.mails.next(person.email)).text),
    newCode: codeIn((await app.mails.next(email)).text),
  }
}

const other = (code: string) => (code === '000000' ? '000001' : '000000')

test('both codes change the address; logins stay and teams see it', async () => {
  const email = unusedEmail()
  const { id } = await ana.call.teams.create({ name: 'Night Owls' })
  const pit = await subscribedConnection(ana, `team:${id}`)
  const input = await codesFor(ana, email)
  expect(await ana.call.users.changeEmail(input)).toMatchObject({ id: ana.id, email })
  expect(await pit.next('user-changed')).toMatchObject({ user: { id: ana.id, email } })
  expect(await pit.next('member-changed')).toMatchObject({ member: { id: ana.id, email } })
  expect((await ana.call.users.me()).email).toBe(email)
  expect(await ana.call.auth.logins()).toHaveLength(1)
  await expect(ana.call.users.changeEmail(input)).rejects.toMatchObject({ code: 'code-dead' })
})

test('a viewer whose new address is invited to the same team stays a viewer', async () => {
  const [leo, email] = [await app.person('Leo'), unusedEmail()]
  const { id: teamId } = await createTeam(ana, [leo], 'Night Owls')
  await ana.call.teams.setRole({ teamId, userId: leo.id, role: 'viewer' })
  await app.mails.next(leo.email)
  await ana.call.teams.invite({ teamId, firstName: 'Leo', lastName: 'Garnier', email })
  await app.mails.next(email)
  await leo.call.users.changeEmail(await codesFor(leo, email))
  const pit = await subscribedConnection(ana, `team:${teamId}`)

  const [invitation] = await leo.call.teams.invitations()
  const team = await leo.call.teams.accept({ invitationId: invitation?.id ?? '' })

  expect(team.role).toBe('viewer')
  expect(await pit.next('invited-removed')).toMatchObject({ invited: invitation?.id })
  await pit.roundTrip()
  expect(pit.received('member-added')).toEqual([])
  const { changes } = await ana.call.teams.changes({ teamId })
  expect(changes.filter(({ kind }) => kind === 'joined')).toHaveLength(1)
})

test('a wrong code names its field and changes nothing', async () => {
  const input = await codesFor(ana, unusedEmail())
  for (const field of ['currentCode', 'newCode'] as const) {
    const wrong = { ...input, [field]: other(input[field]) }
    await expect(ana.call.users.changeEmail(wrong)).rejects.toMatchObject({
      code: 'code-wrong',
      fields: { [field]: 'code-not-matching' },
    })
  }
  expect((await ana.call.users.me()).email).toBe(ana.email)
})

test('the address of another account is refused only with both codes', async () => {
  const leo = await app.person('Leo')
  const input = await codesFor(ana, leo.email)
  await expect(
    ana.call.users.changeEmail({ ...input, newCode: other(input.newCode) }),
  ).rejects.toMatchObject({ code: 'code-wrong' })
  await expect(ana.call.users.changeEmail(input)).rejects.toMatchObject({ code: 'email-taken' })
  expect((await ana.call.users.me()).email).toBe(ana.email)
  expect((await leo.call.users.me()).email).toBe(leo.email)
})

test('the codes do not sign in, nor change to another address', async () => {
  const input = await codesFor(ana, unusedEmail())
  await ana.call.auth.sendCode({ email: input.email })
  await app.mails.nextCode(input.email)
  await expect(
    ana.call.auth.verifyCode({ email: input.email, code: input.newCode }),
  ).rejects.toMatchObject({ code: 'code-wrong' })
  const change = { ...input, email: unusedEmail() }
  await expect(ana.call.users.changeEmail(change)).rejects.toMatchObject({ code: 'code-dead' })
})

test('the current code of one change does not confirm another one', async () => {
  const first = await codesFor(ana, unusedEmail())
  const second = await codesFor(ana, unusedEmail())
  const mixed = { ...first, currentCode: second.currentCode }
  await expect(ana.call.users.changeEmail(mixed)).rejects.toMatchObject({ code: 'code-wrong' })
  expect((await ana.call.users.me()).email).toBe(ana.email)
})

test('invitations to the new address appear, those to the old one disappear', async () => {
  const [leo, email] = [await app.person('Leo'), unusedEmail()]
  const names = { firstName: 'Ana', lastName: 'Prost' }
  const [old, fresh] = [
    await leo.call.teams.create({ name: 'Old' }),
    await leo.call.teams.create({ name: 'Fresh' }),
  ]
  const before = await leo.call.teams.invite({ teamId: old.id, email: ana.email, ...names })
  await app.mails.next(ana.email)
  const after = await leo.call.teams.invite({ teamId: fresh.id, email, ...names })
  await app.mails.next(email)
  const own = await ana.connect()
  await ana.call.users.changeEmail(await codesFor(ana, email))
  expect(await own.next('invitation-removed')).toMatchObject({ invitation: before.id })
  expect(await own.next('invitation-added')).toMatchObject({ invitation: { id: after.id } })
  expect((await ana.call.teams.invitations()).map(({ teamName }) => teamName)).toEqual(['Fresh'])
})

test('the own address is refused, and a user has a daily limit', async () => {
  await expect(ana.call.users.sendEmailCodes({ email: ana.email })).rejects.toMatchObject({
    fields: { email: 'email-unchanged' },
  })
  const ask = () => ana.call.users.sendEmailCodes({ email: unusedEmail() })
  for (let count = 0; count < emailChangesPerDay; count++) await ask()
  await expect(ask()).rejects.toMatchObject({ code: 'too-many' })
})
