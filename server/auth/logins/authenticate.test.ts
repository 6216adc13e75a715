import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { testClock } from '#testing/clock.ts'
import { type AuthServer, authServer, type Browser } from '#testing/people/authServer.ts'
import { cookieName, signedIn } from '#testing/people/logins.ts'
import { serverKey } from '../../db/serverKeys.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { createToken, hashOf } from './issuedTokens.ts'
import { knownBrowserKeyName } from './knownBrowser.ts'

let server: AuthServer
let node: Authenticate

beforeAll(async () => {
  server = await authServer()
  node = await createAuthenticate(server.context, () => server.url, testClock)
})
afterAll(() => server[Symbol.asyncDispose]())

const withToken = (token: string) => ({ authorization: `Bearer ${token}` })

test('an issued token is identified without a database query', async () => {
  const { jar } = await signedIn(server)
  const token = jar.get(cookieName) ?? ''
  const identified = node.identify({ cookie: `${cookieName}=${token}` })
  expect(identified).toMatchObject({ kind: 'login', id: expect.stringMatching(/^[\w-]{43}$/) })
  expect(identified?.id).not.toBe(token)
  expect(node.identify(withToken(token))).toEqual(identified)
})

test('all logins of a user have one owner, without a database query', async () => {
  const ana = await signedIn(server)
  const ownerOf = ({ jar }: Browser) => node.identify({ cookie: jar.header })?.owner
  const again = await signedIn(server, ana.email)
  expect(ownerOf(ana)).toMatch(/^[\w-]{8}$/)
  expect(ownerOf(again)).toBe(ownerOf(ana))
  expect(ownerOf(await signedIn(server))).not.toBe(ownerOf(ana))
})

test('a forged or missing token is not identified', () => {
  for (let n = 0; n < 100; n++) {
    expect(node.identify(withToken(randomBytes(32).toString('base64url')))).toBeUndefined()
  }
  expect(node.identify(withToken('short'))).toBeUndefined()
  expect(node.identify({})).toBeUndefined()
})

test('a token is identified only in its canonical encoding', async () => {
  const { jar } = await signedIn(server)
  const token = jar.get(cookieName) ?? ''
  const spellings = spellingsOf(token)
  expect(spellings).toHaveLength(4)
  expect(spellings.filter(each => node.identify(withToken(each)) !== undefined)).toEqual([token])
})

test('the token of an ended login identifies nobody', async () => {
  const { jar, call } = await signedIn(server)
  const headers = withToken(jar.get(cookieName) ?? '')
  expect(await node.authenticateHeaders(headers)).not.toBeNull()
  await call.auth.signOut()
  expect(node.identify(headers)).toBeDefined()
  expect(await node.authenticateHeaders(headers)).toBeNull()
  expect(node.identify(headers)).toBeUndefined()
  expect(await node.authenticateHeaders(headers)).toBeNull()
})

test('an unsigned token is identified after it was found in the database', async () => {
  const { call, email } = await signedIn(server)
  const { id } = await call.users.me()
  const token = randomBytes(32).toString('base64url')
  await server.db
    .insertInto('logins')
    .values({
      user_id: id,
      token_hash: hashOf(token),
      device: 'logger',
      expires_at: new Date(Date.now() + dayMs),
    })
    .execute()
  expect(node.identify(withToken(token))).toBeUndefined()
  expect(await node.authenticateHeaders(withToken(token))).toMatchObject({ userId: id })
  const { jar } = await signedIn(server, email)
  const owner = node.identify({ cookie: jar.header })?.owner
  expect(node.identify(withToken(token))).toMatchObject({ kind: 'login', owner })
})

test('a known browser is identified after signing out', async () => {
  const { jar, call } = await signedIn(server)
  const other = await signedIn(server)
  for (const each of [call, other.call]) await each.auth.signOut()
  const [first, second] = [jar, other.jar].map(({ header }) => node.identify({ cookie: header }))
  expect([first?.kind, second?.kind]).toEqual(['browser', 'browser'])
  expect(first?.id).not.toBe(second?.id)
  const madeUp = `pitboard_known=${'A'.repeat(48)}.${'A'.repeat(22)}`
  expect(node.identify({ cookie: madeUp })).toBeUndefined()
})

test('all browsers in which a person signed in have one owner', async () => {
  const ana = await signedIn(server)
  const again = await signedIn(server, ana.email)
  for (const { call } of [ana, again]) await call.auth.signOut()
  const other = await signedIn(server)
  await other.call.auth.signOut()
  const owners = [ana, again, other].map(({ jar }) => node.identify({ cookie: jar.header })?.owner)
  expect(owners[0]).toBeDefined()
  expect(owners[1]).toBe(owners[0])
  expect(owners[2]).not.toBe(owners[0])
})

test('a browser is known for 400 days; cookies without a date are rejected', async () => {
  const { jar, call } = await signedIn(server)
  await call.auth.signOut()
  const cookie = jar.header
  const after = async (days: number) => {
    const clock = { ...testClock, now: () => Date.now() + days * dayMs }
    return (await createAuthenticate(server.context, () => server.url, clock)).identify({ cookie })
  }
  expect(await after(399)).toMatchObject({ kind: 'browser' })
  expect(await after(400)).toBeUndefined()
  const undated = createToken(await serverKey(server.db, knownBrowserKeyName), 'ana@example.com')
  const proof = 'A'.repeat(22)
  expect(node.identify({ cookie: `pitboard_known=${undated}.${proof}` })).toBeUndefined()
})

/** Returns all texts that decode to the same bytes: the last of 43 characters has two unused bits. */
function spellingsOf(token: string): string[] {
  const bytes = Buffer.from(token, 'base64url')
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from(last)
    .map(character => token.slice(0, -1) + character)
    .filter(text => Buffer.from(text, 'base64url').equals(bytes))
}
