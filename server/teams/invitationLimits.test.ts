import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { addMember } from '#testing/people/addMember.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { mailboxOf } from '../rateLimit/mailboxOf.ts'
import {
  countInvitation,
  invitationsPerNetwork,
  invitationsPerPerson,
  invitationsPerTeam,
  mailsPerMailbox,
} from './invite.ts'

let app: TestApp
let ana: Person
let leo: Person
let kim: Person

const noor = { firstName: 'Noor', lastName: 'Haddad' }

beforeAll(async () => {
  app = await testApp()
  ;[ana, leo, kim] = [await app.person('Ana'), await app.person('Leo'), await app.person('Kim')]
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.forgetLimits())

async function inviteMany({ call }: Person, teamId: string, count: number) {
  for (let n = 0; n < count; n++) {
    await call.teams.invite({ teamId, ...noor, email: `${randomUUID()}@example.com` })
  }
}

test('invitations are limited per person, team and network', async () => {
  const team = await createTeam(ana, [leo], 'Flood')
  await addMember(ana, team.id, kim)
  await app.forgetLimits()

  await inviteMany(ana, team.id, invitationsPerPerson)
  await expect(inviteMany(ana, team.id, 1)).rejects.toMatchObject({ code: 'too-many' })
  await inviteMany(leo, team.id, invitationsPerTeam - invitationsPerPerson)
  await expect(inviteMany(kim, team.id, 1)).rejects.toMatchObject({ code: 'too-many' })
})

test('people in one network share its invitation limit', async () => {
  const { db } = app.database
  const config = readConfig({
    PUBLIC_URL: 'https://pitboard.example',
    SMTP_URL: 'smtp://mail.example',
  })
  const parts = { db, clock: systemClock, config }
  const invitedFrom = async (ip: string) => {
    for (let n = 0; ; n++) {
      const inviter = { inviterId: randomUUID(), teamId: randomUUID(), ip }
      const refused = await countInvitation(parts, inviter).then(
        () => null,
        (error: unknown) => error,
      )
      if (!refused) continue
      expect(refused).toMatchObject({ code: 'too-many' })
      return n
    }
  }
  expect(await invitedFrom('203.0.113.7')).toBe(invitationsPerNetwork)
  expect(await invitedFrom('203.0.113.8')).toBe(invitationsPerNetwork)
  // All networks of one customer count as one.
  expect(await invitedFrom('2001:db8::1')).toBe(invitationsPerNetwork)
  expect(await invitedFrom('2001:db8:0:2::1')).toBe(0)
})

test('mails per mailbox are limited; further invitations are stored', async () => {
  const victim = `victim-${randomUUID().slice(0, 8)}@example.com`
  const inviteTo = async (person: Person, email: string) => {
    const { id } = await person.call.teams.create({ name: 'Night Owls' })
    return person.call.teams.invite({ teamId: id, ...noor, email })
  }
  for (let n = 0; n < mailsPerMailbox; n++) {
    const tagged = victim.replace('@', `+${n}@`)
    expect(await inviteTo(ana, tagged)).toMatchObject({ email: tagged, mailed: true })
    await app.mails.next(tagged)
  }
  expect(await inviteTo(leo, victim)).toMatchObject({ email: victim, mailed: false })
  expect(app.mails.mails.filter(({ to }) => to.includes(victim))).toEqual([])
})

test.each([
  ['Ana@Example.com', 'ana@example.com'],
  ['ana+spa@example.com', 'ana@example.com'],
  ['a.n.a+x+y@gmail.com', 'ana@gmail.com'],
  ['ana@googlemail.com', 'ana@gmail.com'],
  ['a.na@example.com', 'a.na@example.com'],
])('%s counts as %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
