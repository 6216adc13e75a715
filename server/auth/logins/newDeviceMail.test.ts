import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AuthServer, authServer, type Browser } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { visitor } from '#testing/people/visitor.ts'
import { newDeviceMailsPerDay } from './newDeviceMail.ts'

const subject = 'New sign-in to your Pitboard account'
let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.db.deleteFrom('rate_counts').execute()
})

async function signIn(email: string, browser: Browser, device?: string) {
  const code = await server.codeFor(email, undefined, browser)
  await browser.call.auth.verifyCode({ email, code, ...(device && { device }) })
}

/** All mails to this address so far, in order, without the codes. */
function newsTo(email: string) {
  return server.mails.mails.filter(
    mail => mail.to.includes(email) && !mail.subject.endsWith('code'),
  )
}

test('a sign-in from a new browser is mailed, one from a known browser is not', async () => {
  const [email, own, other] = [unusedEmail(), server.browser(), server.browser()]
  await signIn(email, own)
  await signIn(email, own)
  await signIn(email, other)
  await server.mails.nextNews(email)
  await signIn(email, other)
  // Another new browser: its mail arrives after any that the sign-ins above had sent.
  await signIn(email, server.browser())
  await server.mails.nextNews(email)
  expect(newsTo(email).map(mail => mail.subject)).toEqual([subject, subject])
})

test('the mail names time and browser, and contains no text of the client', async () => {
  const email = unusedEmail()
  await signIn(email, server.browser())
  const { jar } = server.browser()
  const post = (call: string, input: object) =>
    fetch(`${server.url}/api/${call}`, {
      method: 'POST',
      headers: {
        cookie: jar.header,
        'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
        'content-type': 'application/json',
        'user-agent': 'Evil https://evil.example (Android 10) Chrome/131.0 Safari/537.36',
      },
      body: JSON.stringify(input),
    })
  jar.store(await fetch(`${server.url}/api/auth.login`))
  jar.store(await post('auth.sendCode', { email }))
  const code = await server.mails.nextCode(email)
  expect((await post('auth.verifyCode', { email, code })).status).toBe(200)
  const { text, subject: line } = await server.mails.nextNews(email)
  expect(line).toBe(subject)
  expect(text).toContain('with Chrome on Android')
  expect(text).toContain(`${new Date().getUTCFullYear()} at`)
  expect(text).toContain('Signed-in devices')
  expect(text).not.toMatch(/evil/i)
})

test('a new device token is mailed without the name it chose', async () => {
  const email = unusedEmail()
  await signIn(email, server.browser())
  await signIn(email, server.browser(), 'Call Eve: 555-1234')
  const { text } = await server.mails.nextNews(email)
  expect(text).toContain('a device or program without a browser')
  expect(text).not.toMatch(/Eve/)
})

test('a sign-in succeeds although the mail about it fails', async () => {
  const [email, other] = [unusedEmail(), server.browser()]
  await signIn(email, server.browser())
  const code = await server.codeFor(email, undefined, other)
  server.mails.refuse(true)
  try {
    await other.call.auth.verifyCode({ email, code })
    expect((await other.call.users.me()).email).toBe(email)
  } finally {
    server.mails.refuse(false)
  }
})

test('further new browsers of a day are not mailed', async () => {
  await using local = await authServer({ withoutSmtp: true })
  const email = unusedEmail()
  for (let count = 0; count < newDeviceMailsPerDay + 2; count++)
    await visitor(local).signInAs({ email, email_verified: 'on' })
  expect(local.context.mailer.outbox?.list({ to: email })).toHaveLength(newDeviceMailsPerDay)
})

test('a sign-in with Google from a new browser is mailed', async () => {
  await using local = await authServer({ withoutSmtp: true })
  const email = unusedEmail()
  const [own, other] = [visitor(local), visitor(local)]
  for (const browser of [own, own, other]) await browser.signInAs({ email, email_verified: 'on' })
  const mails = local.context.mailer.outbox?.list({ to: email })
  expect(mails?.map(mail => mail.subject)).toEqual([subject])
})
