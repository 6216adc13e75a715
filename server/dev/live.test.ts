import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { fix } from '#testing/live/liveScene.ts'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { devCookie } from '#testing/people/logins.ts'
import type { Person } from '#testing/people/person.ts'

const token = 'token-of-another-server'

describe('the page of live connections', () => {
  let app: TestApp
  let leo: Person

  beforeAll(async () => {
    app = await testApp({ dev: true, devToken: token })
    leo = await app.person('Leo')
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const open = (query = '') =>
    fetch(`${app.url}/dev/live${query}`, { headers: { cookie: `${devCookie}=${token}` } })
  const page = async (query = '') => (await open(query)).text()
  const linkOf = (html: string) => /\/dev\/live(\?connection=[\w-]+)/.exec(html)?.[1] ?? 'no link'

  test('shows rooms with their subscribers, connections, and the last frames', async () => {
    const team = await leo.call.teams.create({ name: 'Owls' })
    const { id } = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
    const phone = await (await leo.connect()).drive(id)
    phone.send(fix())
    await phone.roundTrip()
    const pit = await leo.connect()
    pit.send({ t: 'subscribe', room: `session:${id}` })
    await pit.next('snapshot')

    const html = await page()
    expect(html).toContain(
      `<td>session:${id}</td><td>2</td><td>0</td><td>0</td><td>0</td><td>no</td>`,
    )
    expect(html).toContain(
      `<td>${leo.id}</td><td>open</td><td>0</td><td>user:${leo.id} session:${id}</td>`,
    )
    expect(html).toContain('<td>in</td><td>{&quot;t&quot;:&quot;fix&quot;')
    expect(html).toContain('<td>out</td><td>{&quot;t&quot;:&quot;snapshot&quot;')
    expect(html).not.toContain('heartbeat&quot;')

    const ofPhone = await page(linkOf(html))
    expect(ofPhone).toContain('&quot;fix&quot;')
    expect(ofPhone).not.toContain('&quot;subscribe&quot;')
    phone.close()
    pit.close()
    await expect.poll(() => page()).toContain('<h2>Rooms</h2>\n<p>None.</p>')
  })

  test('escapes frames and its own address', async () => {
    const connection = await leo.connect()
    connection.socket.send(JSON.stringify({ t: '</td><script>alert(1)</script>' }))
    await connection.next('refused')
    const html = await page(`?connection=${encodeURIComponent('<img src=x>')}`)
    expect(html).toContain('Of connection &lt;img src=x&gt;.')
    expect(await page()).toContain('&lt;script&gt;alert(1)')
    expect(html + (await page())).not.toMatch(/<script|<img/)
    connection.close()
  })

  test('allows no script, and is not cached', async () => {
    const { headers } = await open()
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('the page of live connections does not exist', () => {
  let server: AuthServer

  beforeAll(async () => {
    server = await authServer({ withoutSmtp: true })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const get = ({ http, context }: AuthServer, given = context.config.devToken) =>
    http.inject({ url: '/dev/live', headers: { cookie: `${devCookie}=${given}` } })

  test('without the token of this server', async () => {
    expect((await get(server)).statusCode).toBe(200)
    const { statusCode, body } = await get(server, token)
    expect([statusCode, body.includes('Rooms')]).toEqual([404, false])
  })

  test.each([
    ['where DEV is off', { dev: false }],
    ['on a server with a public address', { dev: true, publicUrl: 'https://pit.example' }],
    ['on a server for the network', { dev: true, host: '0.0.0.0' }],
  ])('%s', async (_where, settings) => {
    await using other = await authServer({ withoutSmtp: true, ...settings })
    expect((await get(other)).statusCode).toBe(404)
  })
})
