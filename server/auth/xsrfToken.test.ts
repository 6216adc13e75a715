import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('the XSRF token is replaced on sign-in and on sign-out', async () => {
  const browser = server.browser()
  const { call, jar } = browser
  const token = () => jar.get('XSRF-TOKEN') ?? ''
  await call.auth.login()
  const before = token()
  expect(before).toHaveLength(22)

  const email = unusedEmail()
  const code = await server.codeFor(email, undefined, browser)
  await call.auth.verifyCode({ email, code })
  const signedIn = token()
  expect(signedIn).toHaveLength(22)
  expect(signedIn).not.toBe(before)

  await call.auth.login()
  expect(token()).toBe(signedIn)
  await call.auth.signOut()
  expect(token()).toHaveLength(22)
  expect(token()).not.toBe(signedIn)
})
