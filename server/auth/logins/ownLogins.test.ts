import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { type Client, CookieJar, createClient } from '#testing/people/client.ts'
import { type Person } from '#testing/people/person.ts'
import { maxLogins, startLogin } from './logins.ts'

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

/** Signs in another browser of the same person, or a device with this name. */
async function signInAgain({ email }: Person, device?: string) {
  const jar = new CookieJar()
  const call = createClient(app.url, jar)
  await call.auth.sendCode({ email })
  const code = await app.mails.nextCode(email)
  const { token } = await call.auth.verifyCode({ email, code, ...(device && { device }) })
  const headers = token ? { authorization: `Bearer ${token}` } : { cookie: jar.header }
  return { call, headers, connect: () => new TestConnection(app.url, headers).greet() }
}

const idOf = async (call: Client) =>
  (await call.auth.logins()).find(({ isThis }) => isThis)?.id ?? ''

async function idOfDevice(name: string) {
  return (await ana.call.auth.logins()).find(({ device }) => device === name)?.id ?? ''
}

function statusWith(headers: Record<string, string>) {
  return fetch(`${app.url}/api/users.me`, { headers }).then(({ status }) => status)
}

describe('the list of own logins', () => {
  test('lists browsers and devices, the current login first', async () => {
    await signInAgain(ana)
    await signInAgain(ana, 'GPS logger')
    const logins = await ana.call.auth.logins()
    expect(logins.map(({ isThis }) => isThis)).toEqual([true, false, false])
    expect(logins.filter(({ device }) => device === 'GPS logger')).toHaveLength(1)
    for (const { createdAt, lastUsedAt, expiresAt } of logins) {
      expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000)
      expect(lastUsedAt).toBe(createdAt)
      expect(expiresAt).toBeGreaterThan(Date.now())
    }
  })

  test('names the browser, and nothing from a forged header', async () => {
    const jar = new CookieJar()
    await createClient(app.url, jar).auth.sendCode({ email: ana.email })
    const code = await app.mails.nextCode(ana.email)
    await fetch(`${app.url}/api/auth.verifyCode`, {
      method: 'POST',
      headers: {
        cookie: jar.header,
        'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (Linux; Android 10; Evil) Chrome/131.0.0.0 Mobile Safari/537.36',
      },
      body: JSON.stringify({ email: ana.email, code }),
    })
    const logins = await ana.call.auth.logins()
    expect(logins.at(1)).toMatchObject({ device: null, browser: 'Chrome', system: 'Android' })
    expect(JSON.stringify(logins)).not.toContain('Evil')
  })

  test('contains no logins of other users', async () => {
    const leo = await app.person('Leo')
    expect(await leo.call.auth.logins()).toHaveLength(1)
    expect(await leo.call.auth.logins()).not.toEqual(await ana.call.auth.logins())
  })

  test('shows when a device was last used, to the hour', async () => {
    const logger = await signInAgain(ana, 'GPS logger')
    const id = await idOfDevice('GPS logger')
    const lastUsedAt = async () =>
      (await ana.call.auth.logins()).find(login => login.id === id)?.lastUsedAt ?? 0
    await setLastUsed(id, 59 * 60_000)
    expect(await statusWith(logger.headers)).toBe(200)
    expect(Date.now() - (await lastUsedAt())).toBeGreaterThan(58 * 60_000)
    await setLastUsed(id, 61 * 60_000)
    expect(await statusWith(logger.headers)).toBe(200)
    await expect.poll(async () => Date.now() - (await lastUsedAt())).toBeLessThan(60_000)
  })

  async function setLastUsed(id: string, agoMs: number) {
    await app.database.db
      .updateTable('logins')
      .set({ last_used_at: new Date(Date.now() - agoMs) })
      .where('id', '=', id)
      .execute()
  }
})

describe('ending one login', () => {
  test('signs out only that browser, at once', async () => {
    const lost = await signInAgain(ana)
    const [lostConnection, ownLine] = [await lost.connect(), await ana.connect()]
    await ana.call.auth.endLogin({ loginId: await idOf(lost.call) })
    expect(await lostConnection.closed()).toBe(CloseCode.signedOut)
    expect(await statusWith(lost.headers)).toBe(401)
    await ownLine.roundTrip()
    expect(await ana.call.auth.logins()).toHaveLength(1)
  })

  test('revokes the token of a device', async () => {
    const logger = await signInAgain(ana, 'GPS logger')
    const connection = await logger.connect()
    await ana.call.auth.endLogin({ loginId: await idOfDevice('GPS logger') })
    expect(await connection.closed()).toBe(CloseCode.signedOut)
    expect(await statusWith(logger.headers)).toBe(401)
  })

  test('of another user is refused and changes nothing', async () => {
    const leo = await app.person('Leo')
    for (const loginId of [await idOf(leo.call), randomUUID()]) {
      await expect(ana.call.auth.endLogin({ loginId })).rejects.toMatchObject({ code: 'not-found' })
    }
    expect(await leo.call.auth.logins()).toHaveLength(1)
  })

  test('that is the current one signs out', async () => {
    await ana.call.auth.endLogin({ loginId: await idOf(ana.call) })
    expect(ana.jar.get('pitboard_login')).toBeUndefined()
    await expect(ana.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})

describe('signing out everywhere else', () => {
  test('ends all other browsers, and devices only if requested', async () => {
    const leo = await app.person('Leo')
    const browsers = [await signInAgain(ana), await signInAgain(ana)]
    const logger = await signInAgain(ana, 'GPS logger')
    const connections = await Promise.all(browsers.map(each => each.connect()))
    const loggerConnection = await logger.connect()

    expect(await ana.call.auth.signOutEverywhere({})).toEqual({ ended: 2 })
    for (const connection of connections)
      expect(await connection.closed()).toBe(CloseCode.signedOut)
    for (const { headers } of browsers) expect(await statusWith(headers)).toBe(401)
    expect(await statusWith(logger.headers)).toBe(200)
    await loggerConnection.roundTrip()

    expect(await ana.call.auth.signOutEverywhere({ devices: true })).toEqual({ ended: 1 })
    expect(await loggerConnection.closed()).toBe(CloseCode.signedOut)
    expect(await statusWith(logger.headers)).toBe(401)
    expect(await ana.call.auth.logins()).toHaveLength(1)
    expect(await leo.call.auth.logins()).toHaveLength(1)
  })
})

test('the 51st login ends the least recently used one and its connections', async () => {
  const { db } = app.database
  const { id: userId } = await ana.call.users.me()
  const now = Date.now() + 1000
  for (let n = 1; n < maxLogins; n++) await startLogin(db, { userId, now })
  const lost = await ana.connect()
  const [kept, leo] = [await signInAgain(ana, 'GPS logger'), await app.person('Leo')]
  expect(await lost.closed()).toBe(CloseCode.signedOut)
  expect(await statusWith({ cookie: ana.jar.header })).toBe(401)
  expect(await statusWith(kept.headers)).toBe(200)
  expect(await statusWith({ cookie: leo.jar.header })).toBe(200)
  const stored = await db.selectFrom('logins').select('id').where('user_id', '=', userId).execute()
  expect(stored).toHaveLength(maxLogins)
})

test('signing out of a browser keeps devices signed in and listed', async () => {
  const logger = await signInAgain(ana, 'GPS logger')
  await ana.call.auth.signOut()
  expect(await statusWith(logger.headers)).toBe(200)
  const back = await signInAgain(ana)
  const logins = await back.call.auth.logins()
  expect(logins.map(({ device }) => device)).toEqual([null, 'GPS logger'])
})
