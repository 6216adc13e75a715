import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { authServer } from '#testing/people/authServer.ts'
import { devCookie } from '#testing/people/logins.ts'

/** A proxy on this machine that adds no header and uses HTTP/1.1, like `proxy_pass` of nginx by default. */
async function proxyTo(url: string) {
  const { host } = new URL(url)
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, host }
    const onward = request(url + incoming.url, { method: incoming.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a proxy whose requests look local opens no page under /dev', async () => {
  await using server = await authServer({ withoutSmtp: true })
  using proxy = await proxyTo(server.url)
  await server.browser().call.auth.sendCode({ email: 'ana@example.com', firstName: 'Ana' })
  const browser = { 'user-agent': 'Mozilla/5.0', accept: 'text/html', 'accept-language': 'en' }
  for (const path of ['mailbox.json', 'mailbox', 'live', 'sign-in?email=ana@example.com&to=/']) {
    const refused = await fetch(`${proxy.url}/dev/${path}`, { headers: browser })
    expect([path, refused.status]).toEqual([path, 404])
    expect(await refused.text()).not.toContain('ana@example.com')
  }
  const cookie = `${devCookie}=${server.context.config.devToken}`
  const opened = await fetch(`${proxy.url}/dev/mailbox.json`, { headers: { ...browser, cookie } })
  expect(await opened.json()).toMatchObject([{ to: 'ana@example.com' }])
})

test('a link with the token leaves no token in the address bar', async () => {
  await using server = await authServer({ withoutSmtp: true })
  const { devToken } = server.context.config
  for (const cookie of ['', `${devCookie}=${devToken}`]) {
    const opened = await fetch(`${server.url}/dev/mailbox?to=ana&token=${devToken}`, {
      headers: { cookie },
      redirect: 'manual',
    })
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dev/mailbox?to=ana'])
  }
})
