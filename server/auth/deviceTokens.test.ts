import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import type { Person } from '#testing/people/person.ts'
import { deviceLifeMs, maxLogins } from './logins/logins.ts'
import { recentSignInMs } from './passkeys.ts'

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

const logger = { name: 'Logger 7', scopes: ['drive' as const] }

function statusWith(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${app.url}/api/users.me`, { headers }).then(({ status }) => status)
}

test('a token is listed with its name and scopes, and can be ended', async () => {
  const { token, expiresAt } = await ana.call.auth.createToken({
    name: 'Logger 7',
    scopes: ['drive', 'read', 'drive'],
  })
  expect(token).toMatch(/^pitboard_[\w-]{43}$/)
  expect(Math.abs(expiresAt - Date.now() - deviceLifeMs)).toBeLessThan(60_000)
  expect(await statusWith(token)).toBe(200)

  const listed = (await ana.call.auth.logins()).find(({ device }) => device === 'Logger 7')
  expect(listed).toMatchObject({ scopes: ['drive', 'read'], browser: null, isThis: false })
  await ana.call.auth.endLogin({ loginId: listed?.id ?? '' })
  expect(await statusWith(token)).toBe(401)
})

test('only its hash is stored', async () => {
  const { token } = await ana.call.auth.createToken(logger)
  const rows = await app.database.db.selectFrom('logins').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token.replace('pitboard_', ''))
})

test('its owner is mailed', async () => {
  await ana.call.auth.createToken({ ...logger, name: 'Call 555-1234' })
  const { subject, text } = await app.mails.nextNews(ana.email)
  expect(subject).toBe('New sign-in to your Pitboard account')
  expect(text).toContain('a device or program without a browser')
  expect(text).not.toContain('555')
})

test('a recent sign-in is required', async () => {
  await app.database.db
    .updateTable('logins')
    .set({ created_at: new Date(Date.now() - recentSignInMs - 1000) })
    .where('user_id', '=', ana.id)
    .execute()
  await expect(ana.call.auth.createToken(logger)).rejects.toMatchObject({
    code: 'recent-sign-in-needed',
  })
  expect(await ana.call.auth.logins()).toHaveLength(1)
})

test('20 a day are allowed', async () => {
  for (let count = 0; count < 20; count++) await ana.call.auth.createToken(logger)
  await expect(ana.call.auth.createToken(logger)).rejects.toMatchObject({ code: 'too-many' })
  expect((await ana.call.auth.logins()).length).toBeLessThanOrEqual(maxLogins)
})

test.each([
  [{ name: 'Logger', scopes: [] }],
  [{ name: 'Logger', scopes: ['admin'] }],
  [{ name: '', scopes: ['drive'] }],
  [{ name: 'Logger' }],
])('%j is refused', async input => {
  await expect(ana.call.auth.createToken(input as typeof logger)).rejects.toMatchObject({
    code: 'invalid-input',
  })
})
