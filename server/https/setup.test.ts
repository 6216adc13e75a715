import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testApp } from '#testing/app.ts'
import { stoppedClock } from '#testing/clock.ts'
import { startLogin } from '../auth/logins/logins.ts'
import { Authority } from './authority.ts'
import type { Https } from './https.ts'
import { listenPlainly } from './plainServer.ts'
import { Setup, setupPath } from './setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitboard-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const authority = await Authority.open(folder, ['localhost'], Date.now())
const certificate = await authority.issue(['127.0.0.1'], Date.now())

/** The operator's page, of a server with this public URL. */
async function operatorPage(publicUrl: () => string) {
  const clock = stoppedClock()
  const setup = new Setup(clock)
  const plain = await listenPlainly({ host: '127.0.0.1', port: 0 }, (request, response) => {
    const shown = { publicUrl: publicUrl(), certificate: '51 days left' }
    if (!setup.answer(request, response, shown)) response.writeHead(404).end()
  })
  onTestFinished(() => plain.close())
  const url = `http://127.0.0.1:${plain.port}${setupPath}`
  return {
    setup,
    clock,
    url,
    open: (token: string) => fetch(`${url}?token=${token}`),
    send: (fields: Record<string, string>) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

const ana = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Tester' }

test('the page needs its token, and shows the state of the certificate', async () => {
  const { setup, open, send } = await operatorPage(() => 'https://pit.example')
  expect(await (await open('wrong')).text()).toContain('This page needs its link')
  expect(await (await send({ ...ana, token: 'wrong' })).text()).toContain(
    'This page needs its link',
  )
  const page = await (await open(setup.token)).text()
  expect(page).toContain('Certificate: 51 days left')
  expect(page).toContain('First Name')
  const again = await send({ ...ana, email: 'ana', token: setup.token })
  expect(await again.text()).toContain('Enter an e-mail address and both names.')
})

test('a page of another site, whose name resolves to this machine, gets nothing', async () => {
  const { setup, url } = await operatorPage(() => 'https://pit.example')
  const { port } = new URL(url)
  const { request } = await import('node:http')
  const asked = request({
    port,
    path: `${setupPath}?token=${setup.token}`,
    headers: { host: `evil.example:${port}` },
  }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(404)
  answer.resume()
})

test('a form that is too large is refused', async () => {
  const { setup, send } = await operatorPage(() => 'https://pit.example')
  const large = await send({ ...ana, firstName: 'A'.repeat(5000), token: setup.token })
  expect(large.status).toBe(400)
})

test('a link signs in once, makes the first account, and ends after ten minutes', async () => {
  let origin = ''
  const { setup, clock, send } = await operatorPage(() => origin)
  const https: Https = {
    isPublic: false,
    setup,
    current: () => certificate,
    onReplaced: () => {},
    publicUrl: () => origin,
    async start(server: Server) {
      origin = `https://127.0.0.1:${(server.address() as { port: number }).port}`
    },
    close: () => {},
  }
  await using app = await testApp({ https: 'paddock', httpsPort: 0 }, undefined, undefined, https)
  const makeLinkFor = async (person: typeof ana) => {
    const page = await (await send({ ...person, token: setup.token })).text()
    return /href="(https:[^"]+)"/.exec(page)?.[1] ?? ''
  }
  const makeLink = () => makeLinkFor(ana)
  async function ask(url: string, method = 'GET', headers: Record<string, string> = {}) {
    const asked = requestHttps(url, { method, ca: authority.pem, headers }).end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
  }

  const link = await makeLink()
  expect(link.startsWith(`${origin}/`)).toBe(true)
  expect((await ask(link)).body).toContain('Continue as Ana')
  const forged = await ask(link, 'POST', { origin: 'https://evil.example' })
  expect(forged.status).toBe(403)
  const signedIn = await ask(link, 'POST', { origin })
  expect(signedIn).toMatchObject({ status: 303, headers: { location: '/teams' } })
  expect(String(signedIn.headers['set-cookie'])).toContain('__Host-pitboard_login=')
  const users = await app.database.db.selectFrom('users').select(['email', 'first_name']).execute()
  expect(users).toEqual([{ email: ana.email, first_name: 'Ana' }])
  expect(await ask(link, 'POST', { origin })).toMatchObject({ status: 404 })

  // The person who joined by a code in this browser states whose e-mail it is.
  const { db } = app.database
  const joined = await db
    .insertInto('users')
    .values({ first_name: 'Mia', last_name: 'Larsen', is_anonymous: true, joined: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { token } = await startLogin(db, {
    userId: joined.id,
    userAgent: undefined,
    now: Date.now(),
  })
  const cookie = `__Host-pitboard_login=${token}`
  const adding = await makeLinkFor({ ...ana, email: 'mia@example.com' })
  expect((await ask(adding, 'GET', { cookie })).body).toContain('Add it to Mia Larsen')
  expect(await ask(adding, 'POST', { cookie, origin })).toMatchObject({ status: 409 })
  expect(await ask(`${adding}?attach=yes`, 'POST', { cookie, origin })).toMatchObject({
    status: 303,
  })
  const mia = await db.selectFrom('users').select('email').where('id', '=', joined.id).execute()
  expect(mia).toEqual([{ email: 'mia@example.com' }])

  const late = await makeLink()
  clock.pass(10 * 60_000)
  expect((await ask(late)).body).toContain('This link has ended')
})
