import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CloseCode } from '#contract/liveRules.ts'
import { type AuthServer, authServer, type Browser } from '#testing/authServer.ts'
import { forgetExpired } from './forgetExpired.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const cookieName = 'pitboard_login'
const dayMs = 24 * 60 * 60 * 1000

async function signedIn(email = `someone-${randomUUID()}@example.com`) {
  const browser = server.browser()
  const code = await server.codeFor(email)
  const login = await browser.call.auth.verifyCode({ email, code })
  return { ...browser, ...login, email }
}

async function device() {
  const email = `someone-${randomUUID()}@example.com`
  const browser = server.browser()
  const code = await server.codeFor(email)
  const login = await browser.call.auth.verifyCode({ email, code, device: 'GPS logger' })
  return { ...browser, ...login, token: login.token ?? '' }
}

function get(path: string, headers: Record<string, string>) {
  return fetch(`${server.url}/api/${path}`, { headers })
}

/** The row of a browser's login. */
function rowOf(browser: Browser) {
  return server.db
    .selectFrom('logins')
    .selectAll()
    .where('token_hash', '=', hashOf(browser.jar.get(cookieName) ?? ''))
    .executeTakeFirstOrThrow()
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

async function endIn(loginId: string, interval: string) {
  await server.db
    .updateTable('logins')
    .set({ expires_at: sql<Date>`now() + ${interval}::interval` })
    .where('id', '=', loginId)
    .execute()
}

describe('a browser', () => {
  test('is known by its cookie', async () => {
    const ana = await signedIn()
    expect(await ana.call.users.me()).toEqual(ana.user)
    await expect(server.browser().call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('keeps a token of 256 bits of which the database knows only the hash', async () => {
    const ana = await signedIn()
    const token = ana.jar.get(cookieName) ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const row = await rowOf(ana)
    expect(row.token_hash.equals(hashOf(token))).toBe(true)
    const rows = await server.db.selectFrom('logins').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('gets no token to read', async () => {
    expect(await signedIn()).not.toHaveProperty('token')
  })

  test('is nobody with a token that was changed, empty or of another shape', async () => {
    const ana = await signedIn()
    const token = ana.jar.get(cookieName) ?? ''
    const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
    for (const wrong of [changed, '', 'x', `${token}x`, "' or 1=1 --"]) {
      const answer = await get('users.me', { cookie: `${cookieName}=${wrong}` })
      expect(answer.status).toBe(401)
    }
    expect((await get('users.me', { cookie: `a=b; ${cookieName}=${token}; c=d` })).status).toBe(200)
  })

  test('is nobody once the login has expired', async () => {
    const ana = await signedIn()
    await endIn((await rowOf(ana)).id, '-1 second')
    await expect(ana.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await ana.call.auth.login()).toEqual({ login: null })
  })

  test('loses a dead cookie when it asks who it is', async () => {
    const answer = await get('auth.login', { cookie: `${cookieName}=${'A'.repeat(43)}` })
    expect(answer.headers.getSetCookie().join()).toMatch(
      /pitboard_login=;.*Expires=Thu, 01 Jan 1970/,
    )
  })
})

describe('the cookie', () => {
  const loginCookie = (answer: { headers: Record<string, unknown> }) =>
    [answer.headers['set-cookie']].flat().find(line => /pitboard_login=/.test(String(line)))

  const signIn = (at: AuthServer) =>
    at.http.inject({
      method: 'POST',
      url: '/api/auth.signInAnonymously',
      headers: { cookie: 'XSRF-TOKEN=same', 'x-xsrf-token': 'same' },
      payload: {},
    })

  test('under http is out of reach of scripts and other sites', async () => {
    const cookie = loginCookie(await signIn(server))
    expect(cookie).toMatch(/^pitboard_login=[\w-]{43};/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).not.toMatch(/Secure|Domain/)
    const expires = Date.parse(/Expires=([^;]+)/.exec(String(cookie))?.[1] ?? '')
    expect(Math.abs(expires - Date.now() - 30 * dayMs)).toBeLessThan(60_000)
  })

  test('under https is secure and bound to the host by its name', async () => {
    await using secure = await authServer({ publicUrl: 'https://pitboard.example' })
    const cookie = loginCookie(await signIn(secure))
    expect(cookie).toMatch(/^__Host-pitboard_login=[\w-]{43};/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; Secure/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).not.toMatch(/Domain/)
    const token = /=([\w-]+)/.exec(String(cookie))?.[1] ?? ''
    const me = (name: string) =>
      secure.http.inject({ url: '/api/users.me', headers: { cookie: `${name}=${token}` } })
    expect((await me('__Host-pitboard_login')).statusCode).toBe(200)
    expect((await me('pitboard_login')).statusCode).toBe(401)
  })
})

describe('a login in use', () => {
  test('slides forward, for the cookie too', async () => {
    const ana = await signedIn()
    const { id } = await rowOf(ana)
    await endIn(id, '5 days')
    const answer = await get('auth.login', { cookie: ana.jar.header })
    const { login } = (await answer.json()) as { login: { expiresAt: number } }
    expect(Math.abs(login.expiresAt - Date.now() - 30 * dayMs)).toBeLessThan(60_000)
    expect((await rowOf(ana)).expires_at.getTime()).toBe(login.expiresAt)
    const [cookie = ''] = answer.headers.getSetCookie().filter(line => line.startsWith(cookieName))
    expect(cookie).toContain(ana.jar.get(cookieName))
    expect(cookie).toContain(new Date(login.expiresAt).toUTCString())
  })

  test('is written at most once an hour', async () => {
    const ana = await signedIn()
    const { id } = await rowOf(ana)
    await endIn(id, '29 days 23 hours 1 minute')
    const before = await rowOf(ana)
    const answer = await get('auth.login', { cookie: ana.jar.header })
    expect(await answer.json()).toMatchObject({ login: { expiresAt: before.expires_at.getTime() } })
    expect(await rowOf(ana)).toEqual(before)
    expect(answer.headers.getSetCookie().join()).not.toContain(cookieName)
  })

  test('is not moved by other calls', async () => {
    const ana = await signedIn()
    await endIn((await rowOf(ana)).id, '5 days')
    const before = await rowOf(ana)
    await ana.call.users.me()
    expect(await rowOf(ana)).toEqual(before)
  })
})

describe('a device', () => {
  test('is known by its token for a year, and gets no cookie', async () => {
    const { token, jar, user, expiresAt } = await device()
    expect(jar.get(cookieName)).toBeUndefined()
    expect(Math.abs(expiresAt - Date.now() - 365 * dayMs)).toBeLessThan(60_000)
    const answer = await get('users.me', { authorization: `Bearer ${token}` })
    expect(await answer.json()).toEqual(user)
  })

  test('keeps its year when it asks who it is', async () => {
    const { token, expiresAt } = await device()
    const answer = await get('auth.login', { authorization: `Bearer ${token}` })
    expect(await answer.json()).toMatchObject({ login: { expiresAt } })
    expect(answer.headers.getSetCookie().join()).not.toContain(cookieName)
  })

  test('with a wrong token is nobody, even where a browser is signed in', async () => {
    const ana = await signedIn()
    for (const authorization of ['Bearer x', 'Bearer', 'Basic YTpi', `Bearer ${'A'.repeat(43)}`]) {
      const answer = await get('users.me', { authorization, cookie: ana.jar.header })
      expect(answer.status).toBe(401)
    }
  })
})

describe('signing out', () => {
  test('ends this login, its cookie and its live lines, and no other', async () => {
    const ana = await signedIn()
    const phone = await signedIn(ana.email)
    const lines = [ana, phone].map(() => ({ closed: [] as number[] }))
    for (const [index, each] of [ana, phone].entries()) {
      server.hub.add({
        userId: each.user.id,
        loginId: (await rowOf(each)).id,
        backlogBytes: 0,
        send: () => {},
        close: code => lines[index]?.closed.push(code),
      })
    }
    const token = ana.jar.get(cookieName)
    await ana.call.auth.signOut()
    expect(ana.jar.get(cookieName)).toBeUndefined()
    expect((await get('users.me', { cookie: `${cookieName}=${token}` })).status).toBe(401)
    expect(lines).toEqual([{ closed: [CloseCode.signedOut] }, { closed: [] }])
    expect(await phone.call.users.me()).toEqual(phone.user)
  })

  test('takes one from the pit wall with the last browser', async () => {
    const ana = await signedIn()
    const phone = await signedIn(ana.email)
    await openTeam(ana)
    await ana.call.auth.signOut()
    expect(await phone.call.users.me()).toMatchObject({ status: 'Active' })
    await phone.call.auth.signOut()
    const row = await server.db
      .selectFrom('users')
      .select(['status', 'active_team_id'])
      .where('id', '=', ana.user.id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ status: 'Inactive', active_team_id: null })
  })

  test('needs a login', async () => {
    await expect(server.browser().call.auth.signOut()).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })
})

describe('forgetting what has expired', () => {
  test('deletes ended logins and dead codes, and takes their people from the pit wall', async () => {
    const [ana, leo] = [await signedIn(), await signedIn()]
    await openTeam(ana)
    await openTeam(leo)
    await endIn((await rowOf(ana)).id, '-1 second')
    const email = `someone-${randomUUID()}@example.com`
    await server.codeFor(email)
    await server.db
      .updateTable('login_codes')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('email', '=', email)
      .execute()

    await forgetExpired(server.db)

    await expect(rowOf(ana)).rejects.toThrow('no result')
    const codes = await server.db
      .selectFrom('login_codes')
      .select('email')
      .where('email', '=', email)
      .execute()
    expect(codes).toEqual([])
    expect(await statusOf(ana.user.id)).toBe('Inactive')
    expect(await statusOf(leo.user.id)).toBe('Active')
  })

  test('drops anonymous users that nobody can be again, unless they left something', async () => {
    const [gone, kept, fresh] = [server.browser(), server.browser(), server.browser()]
    const ids: string[] = []
    for (const browser of [gone, kept, fresh]) {
      const { user } = await browser.call.auth.signInAnonymously()
      ids.push(user.id)
    }
    await openTeam({ ...kept, user: { id: ids[1] ?? '' } })
    await server.db
      .updateTable('users')
      .set({ created_at: sql<Date>`now() - interval '2 days'` })
      .where('id', 'in', ids)
      .execute()
    await gone.call.auth.signOut()
    await kept.call.auth.signOut()

    await forgetExpired(server.db)

    const left = await server.db.selectFrom('users').select('id').where('id', 'in', ids).execute()
    expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort())
  })
})

/** Makes a team of one's own and opens it. */
async function openTeam({ call, user }: Browser & { user: { id: string } }) {
  const { id } = await server.db
    .insertInto('teams')
    .values({ name: 'Night Owls' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await server.db.insertInto('team_access').values({ team_id: id, user_id: user.id }).execute()
  await call.users.setActiveTeam({ teamId: id })
}

async function statusOf(userId: string) {
  const row = await server.db
    .selectFrom('users')
    .select('status')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.status
}
