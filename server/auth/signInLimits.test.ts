import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockAtStartOfDay } from '#testing/clock.ts'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { signInLimits as limits } from './signInLimits.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer({ clock: clockAtStartOfDay() })
})
afterAll(() => server[Symbol.asyncDispose]())

test('a code beyond the limit of 15 minutes is refused, with a retry time', async () => {
  const email = unusedEmail()
  const { call } = server.browser()
  for (let times = 0; times < limits.codes.addressAndNetwork.quarter; times += 1)
    await call.auth.sendCode({ email })
  const refusal = await call.auth.sendCode({ email }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'too-many', status: 429 })
  const { retryAfterSeconds } = refusal as { retryAfterSeconds: number }
  expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(retryAfterSeconds).toBeLessThanOrEqual(15 * 60)
  await call.auth.sendCode({ email: unusedEmail() })
})

test('counters contain no email or network addresses', async () => {
  const email = unusedEmail()
  await server.browser().call.auth.sendCode({ email })
  const rows = await server.db.selectFrom('rate_counts').select('what').execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/example\.com|127\.0\.0\.1/)
})
