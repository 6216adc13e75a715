import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { signIn } from './signIn.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const ana = { firstName: 'Ana', lastName: 'Prost' }
const mallory = { firstName: 'Mallory', lastName: 'Evil' }

async function enter(email: string, code: string, browser = server.browserOf(email)) {
  const { user } = await browser.call.auth.verifyCode({ email, code })
  return user
}

describe('names', () => {
  // spec: EN-7 CA-1
  test('given at sign-up are those of the new user', async () => {
    const email = unusedEmail()
    expect(await enter(email, await server.codeFor(email, ana))).toMatchObject(ana)
  })

  test('are kept when another code is requested without them', async () => {
    const email = unusedEmail()
    await server.codeFor(email, ana)
    expect(await enter(email, await server.codeFor(email))).toMatchObject(ana)
  })

  test('are filled in for a user without names', async () => {
    const email = unusedEmail()
    await enter(email, await server.codeFor(email))
    expect(await enter(email, await server.codeFor(email, ana))).toMatchObject(ana)
  })

  test('are not replaced by a later sign-up', async () => {
    const email = unusedEmail()
    await enter(email, await server.codeFor(email, ana))
    expect(await enter(email, await server.codeFor(email, mallory))).toMatchObject(ana)
  })

  test('are not changed by a stranger who requests a code', async () => {
    const email = unusedEmail()
    await enter(email, await server.codeFor(email))
    await server.codeFor(email, mallory)
    const rows = await server.db
      .selectFrom('users')
      .select(['first_name', 'last_name'])
      .where('email', '=', email)
      .execute()
    expect(rows).toEqual([{ first_name: null, last_name: null }])
  })

  test('are not taken from a code that a stranger requested', async () => {
    const email = unusedEmail()
    await server.codeFor(email, mallory, server.browser())
    const user = await enter(email, await server.codeFor(email))
    expect(user).toMatchObject({ firstName: null, lastName: null })
  })

  test('with control characters are refused', async () => {
    const email = unusedEmail()
    await expect(
      server.browser().call.auth.sendCode({ email, firstName: 'A\nB', lastName: 'C' }),
    ).rejects.toMatchObject({ code: 'invalid-input', fields: { firstName: expect.any(String) } })
  })
})

describe('an anonymous user', () => {
  // spec: AU-6
  test('has no address and no name', async () => {
    const browser = server.browser()
    const { user, expiresAt } = await browser.call.auth.signInAnonymously()
    expect(user).toMatchObject({ isAnonymous: true, email: null, firstName: null })
    expect(await browser.call.auth.login()).toEqual({ login: { user, expiresAt } })
  })

  test('is the same user when requested twice', async () => {
    const browser = server.browser()
    const { user } = await browser.call.auth.signInAnonymously()
    expect((await browser.call.auth.signInAnonymously()).user).toEqual(user)
  })

  test('does not replace an account that is signed in', async () => {
    const [browser, email] = [server.browser(), unusedEmail()]
    const user = await enter(email, await server.codeFor(email, undefined, browser), browser)
    expect((await browser.call.auth.signInAnonymously()).user).toEqual(user)
  })

  test('stays the same user after adding a new address', async () => {
    const [browser, email] = [server.browser(), unusedEmail()]
    const { user } = await browser.call.auth.signInAnonymously()
    const known = await enter(email, await server.codeFor(email, ana, browser), browser)
    expect(known).toMatchObject({ id: user.id, email, isAnonymous: false, ...ana })
    expect((await browser.call.users.me()).id).toBe(user.id)
  })

  test('becomes the existing user of a known address', async () => {
    const [browser, email] = [server.browser(), unusedEmail()]
    const known = await enter(email, await server.codeFor(email))
    const { user } = await browser.call.auth.signInAnonymously()
    expect(await enter(email, await server.codeFor(email, undefined, browser), browser)).toEqual(
      known,
    )
    const row = await server.db
      .selectFrom('users')
      .select('is_anonymous')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row.is_anonymous).toBe(true)
  })

  test('is not used for the device of another user', async () => {
    const [browser, email] = [server.browser(), unusedEmail()]
    const { user } = await browser.call.auth.signInAnonymously()
    const code = await server.codeFor(email, undefined, browser)
    const logger = await browser.call.auth.verifyCode({ email, code, device: 'GPS logger' })
    expect(logger.user.id).not.toBe(user.id)
    expect((await browser.call.users.me()).id).toBe(user.id)
  })
})

test('signing in again ends the previous login of the browser', async () => {
  const [browser, first, second] = [server.browser(), unusedEmail(), unusedEmail()]
  await enter(first, await server.codeFor(first, undefined, browser), browser)
  const token = browser.jar.get('pitboard_login')
  await enter(second, await server.codeFor(second, undefined, browser), browser)
  const answer = await fetch(`${server.url}/api/users.me`, {
    headers: { cookie: `pitboard_login=${token}` },
  })
  expect(answer.status).toBe(401)
  expect((await browser.call.users.me()).email).toBe(second)
})

test('signing in with another address does not change the previous user', async () => {
  const [browser, first, second] = [server.browser(), unusedEmail(), unusedEmail()]
  const one = await enter(first, await server.codeFor(first, undefined, browser), browser)
  const two = await enter(second, await server.codeFor(second, undefined, browser), browser)
  expect(two.id).not.toBe(one.id)
  expect((await enter(first, await server.codeFor(first, undefined, browser), browser)).id).toBe(
    one.id,
  )
})

test('a concurrent sign-in with the same new address creates one user', async () => {
  const email = unusedEmail()
  let times = 0
  const { user } = await signIn(server.context, {
    email,
    ip: '127.0.0.1',
    previous: null,
    now: Date.now(),
    first: async trx => {
      times += 1
      if (times > 1) return
      // PostgreSQL's error for the second insert.
      await trx.insertInto('users').values([{ email }, { email }]).execute()
    },
  })
  expect(times).toBe(2)
  expect(user.email).toBe(email)
})
