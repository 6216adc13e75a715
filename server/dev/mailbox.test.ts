import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { authServer } from '#testing/people/authServer.ts'
import { devCookie } from '#testing/people/logins.ts'
import { sendError } from '../http/refuse.ts'
import { createMailer } from '../mail/mailer.ts'
import { registerMailbox } from './mailbox.ts'

const token = 'token-of-this-server'

async function mailbox() {
  const mailer = createMailer({ smtpUrl: undefined, from: 'a@b.de', print: () => {} })
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(sendError)
  await app.register(cookie)
  if (mailer.outbox) registerMailbox(app, mailer.outbox, token)
  await app.ready()
  const get = (
    url: string,
    headers: Record<string, string> = { cookie: `${devCookie}=${token}` },
  ) => app.inject({ url, headers })
  return { mailer, get }
}

const mail = { to: 'ana@example.com', subject: 'One', text: 'Text', html: '<p>Html</p>' }

test('mails are listed newest first, all or those to one address', async () => {
  const { mailer, get } = await mailbox()
  await mailer.send(mail)
  await mailer.send({ ...mail, to: 'leo@example.com', subject: 'Two' })
  const all = await get('/dev/mailbox.json')
  expect(all.json()).toMatchObject([
    { to: 'leo@example.com', subject: 'Two' },
    { ...mail, at: expect.any(Number) },
  ])
  expect(all.headers['cache-control']).toBe('no-store')
  const one = await get('/dev/mailbox.json?to=Ana@Example.com')
  expect(one.json()).toMatchObject([{ subject: 'One' }])
})

test('the page shows each mail, with sandboxed HTML and its addresses as links', async () => {
  const { mailer, get } = await mailbox()
  await mailer.send({
    ...mail,
    subject: '<b>One</b>',
    text: 'See https://pitboard.example/teams <i>now</i>',
    html: '<script>alert("1")</script>',
  })
  const { body, headers } = await get('/dev/mailbox')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'unsafe-inline'/,
  )
  expect(body).toContain('&lt;b&gt;One&lt;/b&gt;')
  expect(body).toContain(
    '<a href="https://pitboard.example/teams">https://pitboard.example/teams</a> &lt;i&gt;now',
  )
  expect(body).toContain('srcdoc="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;" sandbox="')
  expect(body).not.toMatch(/<script|allow-scripts|allow-same-origin/)
  expect(body).toContain('http-equiv="refresh"')
})

test('the page has a placeholder while the mailbox is empty', async () => {
  const { get } = await mailbox()
  expect((await get('/dev/mailbox')).body).toContain('No mail yet.')
})

test('the link with the token opens the page, and the browser keeps the token', async () => {
  const { get } = await mailbox()
  const opened = await get(`/dev/mailbox?to=ana%40example.com&token=${token}`, {})
  expect(opened.statusCode).toBe(303)
  expect(opened.headers.location).toBe('/dev/mailbox?to=ana%40example.com')
  expect(opened.headers['set-cookie']).toBe(
    `${devCookie}=${token}; Path=/dev; HttpOnly; SameSite=Strict`,
  )
})

test.each([
  ['no token', ''],
  ['an empty token', '?token='],
  ['another token', `?token=${token.replace('t', 'T')}`],
  ['letters of several bytes', `?token=${encodeURIComponent('é'.repeat(token.length))}`],
])('the mailbox is refused with %s, and names the link to open', async (_what, query) => {
  const { mailer, get } = await mailbox()
  await mailer.send(mail)
  for (const path of ['/dev/mailbox', '/dev/mailbox.json']) {
    const { statusCode, body, headers } = await get(path + query, { cookie: `${devCookie}=` })
    expect([statusCode, headers['set-cookie']]).toEqual([404, undefined])
    expect(body).toContain('Open the link in the terminal')
    expect(body).not.toContain('ana@example.com')
  }
})

test.each([
  ['where DEV is off', { dev: false }],
  ['on a server with a public address', { dev: true, publicUrl: 'https://pit.example' }],
  ['on a server for the network', { dev: true, host: '0.0.0.0' }],
])('the mailbox does not exist %s', async (_where, settings) => {
  await using server = await authServer({ withoutSmtp: true, ...settings })
  const headers = { cookie: `${devCookie}=${server.context.config.devToken}` }
  const { statusCode } = await server.http.inject({ url: '/dev/mailbox', headers })
  expect(statusCode).toBe(404)
})
