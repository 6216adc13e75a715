import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function person(firstName: string) {
  const email = `${firstName.toLowerCase()}-${randomUUID()}@example.com`
  const browser = server.browser()
  const code = await server.codeFor(email, { firstName, lastName: 'Tester' }, browser)
  const { user } = await browser.call.auth.verifyCode({ email, code })
  return { ...browser, user, email }
}

async function team(...members: { user: { id: string } }[]) {
  const { id } = await server.db
    .insertInto('teams')
    .values({ name: 'Night Owls' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { user } of members) {
    await server.db.insertInto('team_access').values({ team_id: id, user_id: user.id }).execute()
  }
  return id
}

describe('another person', () => {
  test('is visible to members of a shared team', async () => {
    const [ana, leo] = [await person('Ana'), await person('Leo')]
    await team(ana, leo)
    expect(await ana.call.users.get({ userId: leo.user.id })).toEqual({
      id: leo.user.id,
      firstName: 'Leo',
      lastName: 'Tester',
      email: leo.email,
    })
  })

  test('is not found by anybody else', async () => {
    const [ana, leo] = [await person('Ana'), await person('Leo')]
    await team(ana)
    await team(leo)
    for (const userId of [leo.user.id, randomUUID()]) {
      await expect(ana.call.users.get({ userId })).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  test('may be the caller', async () => {
    const ana = await person('Ana')
    expect((await ana.call.users.get({ userId: ana.user.id })).email).toBe(ana.email)
  })
})

test('a new name is trimmed and returned at once', async () => {
  const ana = await person('Ana')
  await ana.call.users.rename({ firstName: ' Anna ', lastName: 'Prost' })
  expect(await ana.call.users.me()).toMatchObject({ firstName: 'Anna', lastName: 'Prost' })
  await expect(ana.call.users.rename({ firstName: ' ', lastName: 'Prost' })).rejects.toMatchObject({
    code: 'invalid-input',
    fields: { firstName: 'missing' },
  })
})
