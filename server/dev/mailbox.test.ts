import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { sendError } from '../http/refuse.ts'
import { createMailer } from '../mail/mailer.ts'
import { registerMailbox } from './mailbox.ts'

async function mailbox() {
  const mailer = createMailer({ smtpUrl: undefined, from: 'a@b.de', print: () => {} })
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(sendError)
  if (mailer.outbox) registerMailbox(app, mailer.outbox)
  await app.ready()
  const get = (url: string, headers: Record<string, string> = { host: 'localhost:3000' }) =>
    app.inject({ url, headers })
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

test.each(['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST'])(
  'the mailbox is available under %s',
  async host => {
    const { get } = await mailbox()
    expect((await get('/dev/mailbox.json', { host })).statusCode).toBe(200)
  },
)

test.each([
  { host: 'evil.example' },
  { host: 'localhost.evil.example' },
  { host: '127.0.0.1.nip.example:3000' },
  { host: 'localhost', 'x-forwarded-for': '203.0.113.7' },
  { host: 'localhost', forwarded: 'for=203.0.113.7' },
  { host: 'localhost', 'x-real-ip': '203.0.113.7' },
  { host: 'localhost', 'x-forwarded-proto': 'https' },
  { host: 'localhost', via: '1.1 nginx' },
  { host: 'localhost', 'cf-connecting-ip': '203.0.113.7' },
])('the mailbox is not available for %j', async headers => {
  const { mailer, get } = await mailbox()
  await mailer.send(mail)
  for (const url of ['/dev/mailbox', '/dev/mailbox.json']) {
    const answer = await get(url, headers)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('ana@example.com')
  }
})
