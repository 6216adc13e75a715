import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer, type Browser } from '#testing/people/authServer.ts'
import { cookieName, rowOf, signedIn } from '#testing/people/logins.ts'
import { SoftwareAuthenticator } from '#testing/people/softwareAuthenticator.ts'
import { maxPasskeys } from './passkeys.ts'

const origin = 'http://localhost:3000'
const refused = { code: 'passkey-refused', status: 400 }
let server: AuthServer

beforeAll(async () => {
  server = await authServer({ publicUrl: origin })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Adds a passkey to the user of this browser. */
async function add({ call }: Browser, key = new SoftwareAuthenticator(), name = 'Phone') {
  const credential = key.create(await call.passkeys.startAdding({}), { origin })
  return { key, credential, passkey: await call.passkeys.add({ name, credential }) }
}

async function personWithPasskey() {
  const person = await signedIn(server)
  return { person, ...(await add(person)) }
}

describe('signing in with a passkey', () => {
  test('signs in its owner in another browser', async () => {
    const { person, key } = await personWithPasskey()
    const { call } = server.browser()
    const credential = key.get(await call.passkeys.startSignIn({}), { origin })
    expect((await call.passkeys.signIn({ credential })).user).toEqual(person.user)
    expect(await call.users.me()).toEqual(person.user)
    const [passkey] = await call.passkeys.list()
    expect(passkey).toMatchObject({ name: 'Phone', lastUsedAt: expect.any(Number) })
    expect((await server.mails.nextNews(person.user.email ?? '')).subject).toBe(
      'New sign-in to your Pitboard account',
    )
  })

  test('accepts a response once, even in concurrent requests', async () => {
    const { key } = await personWithPasskey()
    const { call, jar } = server.browser()
    const credential = key.get(await call.passkeys.startSignIn({}), { origin })
    const cookie = jar.get('pitboard_passkey') ?? ''
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => call.passkeys.signIn({ credential })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(cookie).not.toBe('')
  })

  test('accepts a challenge once if the authenticator does not count', async () => {
    const { key } = await personWithPasskey()
    const { call, jar } = server.browser()
    const options = await call.passkeys.startSignIn({})
    const cookie = jar.header
    const credential = key.get(options, { origin, step: 0 })
    await call.passkeys.signIn({ credential })
    const replay = await fetch(`${server.url}/api/passkeys.signIn`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-xsrf-token': 'own',
        cookie: `XSRF-TOKEN=own; ${cookie.replace(/XSRF-TOKEN=[^;]*;? ?/, '')}`,
      },
      body: JSON.stringify({ credential }),
    })
    expect(await replay.json()).toMatchObject({ code: 'passkey-refused' })
  })

  test('is refused in a browser that did not request the challenge', async () => {
    const { key } = await personWithPasskey()
    const [asking, other] = [server.browser(), server.browser()]
    const credential = key.get(await asking.call.passkeys.startSignIn({}), { origin })
    await expect(other.call.passkeys.signIn({ credential })).rejects.toMatchObject(refused)
    await other.call.passkeys.startSignIn({})
    await expect(other.call.passkeys.signIn({ credential })).rejects.toMatchObject(refused)
  })

  test.each([
    ['another origin', { origin: 'http://localhost:4000' }],
    ['another site', { origin, rpId: 'evil.example' }],
    ['another challenge', { origin, challenge: 'AAAA' }],
  ])('is refused for %s', async (_what, behaviour) => {
    const { key } = await personWithPasskey()
    const { call } = server.browser()
    const credential = key.get(await call.passkeys.startSignIn({}), behaviour)
    await expect(call.passkeys.signIn({ credential })).rejects.toMatchObject(refused)
    expect(await call.auth.login()).toMatchObject({ login: null })
  })

  test('is refused if the sign count does not grow, as with a copied key', async () => {
    const { key } = await personWithPasskey()
    const { call } = server.browser()
    const use = async (step: number) => {
      const credential = key.get(await call.passkeys.startSignIn({}), { origin, step })
      return call.passkeys.signIn({ credential })
    }
    await use(5)
    await expect(use(0)).rejects.toMatchObject(refused)
  })

  test('is refused for an unknown and for a foreign key alike', async () => {
    const { person, passkey } = await personWithPasskey()
    expect(passkey.id).toBeDefined()
    const { credential_id } = await server.db
      .selectFrom('passkeys')
      .select('credential_id')
      .where('user_id', '=', person.user.id)
      .executeTakeFirstOrThrow()
    const { call } = server.browser()
    for (const key of [new SoftwareAuthenticator(), new SoftwareAuthenticator(credential_id)]) {
      const credential = key.get(await call.passkeys.startSignIn({}), { origin })
      await expect(call.passkeys.signIn({ credential })).rejects.toMatchObject(refused)
    }
  })
})

describe('adding a passkey', () => {
  test('is refused 15 minutes after the sign-in', async () => {
    const person = await signedIn(server)
    const credential = new SoftwareAuthenticator().create(
      await person.call.passkeys.startAdding({}),
      { origin },
    )
    await server.db
      .updateTable('logins')
      .set({ created_at: sql<Date>`now() - interval '16 minutes'` })
      .where('id', '=', (await rowOf(server, person)).id)
      .execute()
    const late = { code: 'recent-sign-in-needed', status: 403 }
    await expect(person.call.passkeys.startAdding({})).rejects.toMatchObject(late)
    await expect(person.call.passkeys.add({ name: 'Late', credential })).rejects.toMatchObject(late)
    expect(await person.call.passkeys.list()).toEqual([])
  })

  test('is refused for a device, whether it sends its token as a header or a cookie', async () => {
    const { email } = await signedIn(server)
    const asking = server.browser()
    const code = await server.codeFor(email, undefined, asking)
    const { token } = await asking.call.auth.verifyCode({ email, code, device: 'Logger' })
    for (const login of [
      { authorization: `Bearer ${token}` },
      {
        cookie: `XSRF-TOKEN=own; ${cookieName}=${token?.replace('pitboard_', '')}`,
        'x-xsrf-token': 'own',
        origin,
      },
    ]) {
      const post = (call: string, input: object) =>
        fetch(`${server.url}/api/${call}`, {
          method: 'POST',
          headers: { ...login, 'content-type': 'application/json' } as Record<string, string>,
          body: JSON.stringify(input),
        }).then(response => response.json())
      expect(await post('passkeys.startAdding', {})).toMatchObject({ code: 'insufficient-scope' })
      const { credential } = await add(await signedIn(server))
      expect(await post('passkeys.add', { name: 'Logger', credential })).toMatchObject({
        code: 'insufficient-scope',
      })
    }
  })

  test('is refused for a credential id of another user', async () => {
    const id = Buffer.alloc(16, 7)
    await add(await signedIn(server), new SoftwareAuthenticator(id))
    await expect(add(await signedIn(server), new SoftwareAuthenticator(id))).rejects.toMatchObject(
      refused,
    )
  })

  test('is refused with a challenge of a sign-in', async () => {
    const { call } = await signedIn(server)
    const options = await call.passkeys.startAdding({})
    const { challenge } = await call.passkeys.startSignIn({})
    const credential = new SoftwareAuthenticator().create(options, { origin, challenge })
    await expect(call.passkeys.add({ name: 'Phone', credential })).rejects.toMatchObject(refused)
  })

  test('is refused beyond the maximum', async () => {
    await using roomy = await authServer({ publicUrl: origin })
    const person = await signedIn(roomy)
    const row = (n: number) => ({
      credential_id: Buffer.alloc(16, n),
      user_id: person.user.id,
      public_key: Buffer.alloc(1),
      sign_count: 0,
      name: `Key ${n}`,
      created_at: new Date(),
      last_used_at: null,
    })
    await roomy.db
      .insertInto('passkeys')
      .values(Array.from({ length: maxPasskeys }, (_, n) => row(n)))
      .execute()
    await expect(add(person)).rejects.toMatchObject({ code: 'too-many-passkeys' })
  })
})

test('a removed passkey no longer signs in; another user cannot remove it', async () => {
  const { person, key, passkey } = await personWithPasskey()
  const stranger = await signedIn(server)
  const removal = { passkeyId: passkey.id }
  await expect(stranger.call.passkeys.remove(removal)).rejects.toMatchObject({ code: 'not-found' })
  await person.call.passkeys.remove(removal)
  expect(await person.call.passkeys.list()).toEqual([])
  const { call } = server.browser()
  const credential = key.get(await call.passkeys.startSignIn({}), { origin })
  await expect(call.passkeys.signIn({ credential })).rejects.toMatchObject(refused)
})

test('the last passkey of a person without an e-mail stays', async () => {
  const { person, passkey } = await personWithPasskey()
  const second = await add(person)
  await server.db
    .updateTable('users')
    .set({ email: null, is_anonymous: true, joined: true })
    .where('id', '=', person.user.id)
    .execute()
  const remove = ({ id }: { id: string }) => person.call.passkeys.remove({ passkeyId: id })
  // One of two requests at the same time is refused.
  const removed = await Promise.allSettled([remove(passkey), remove(second.passkey)])
  expect(removed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [last] = await person.call.passkeys.list()
  await expect(remove(last!)).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'passkey-last',
  })
  expect(await person.call.passkeys.list()).toHaveLength(1)
})

test('a server at an IP address refuses passkeys', async () => {
  await using byAddress = await authServer({ publicUrl: 'https://192.168.1.5' })
  await expect(byAddress.browser().call.passkeys.startSignIn({})).rejects.toMatchObject({
    code: 'passkey-refused',
  })
})
