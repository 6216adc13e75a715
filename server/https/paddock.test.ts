import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { readConfig, SettingsRefused } from '../config.ts'
import { createLog } from '../log.ts'
import { Paddock } from './paddock.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'pitboard-paddock-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const names = ['northline', 'northline.local', 'localhost']

/** A paddock whose machine has these addresses, and that looks at them when the test says so. */
async function paddockAt(settings: Record<string, string> = {}, firstAddresses = ['192.168.8.20']) {
  let [addresses, hostNames] = [firstAddresses, names]
  let look = () => {}
  const printed: string[] = []
  const paddock = await Paddock.open({
    config: { ...readConfig({ HTTPS: 'paddock', DATA_DIR: dataDir, HTTP_PORT: '0', ...settings }) },
    log: createLog('silent'),
    clock: {
      ...systemClock,
      every(_intervalMs, act) {
        look = act
        return () => {}
      },
    },
    print: text => printed.push(text),
    hostNames: () => hostNames,
    addresses: () => addresses,
  })
  onTestFinished(() => paddock.close())
  return {
    paddock,
    printed,
    /** Moves the machine to another network, and waits for its new certificate. */
    moveTo(next: string[], nextNames = names) {
      ;[addresses, hostNames] = [next, nextNames]
      const replaced = new Promise(resolve => paddock.onReplaced(resolve))
      look()
      return replaced
    },
    /** Starts the page without HTTPS, and returns its address. */
    async start() {
      await paddock.start({ address: () => ({ port: 3443 }) } as unknown as Server)
      const port = /Phones start at {2}http:\/\/[^/\s]*:(\d+)/.exec(printed.join())?.[1]
      return `http://127.0.0.1:${port}`
    },
  }
}

const hostsOf = (paddock: Paddock) =>
  new X509Certificate(paddock.current().cert).subjectAltName
    ?.split(', ')
    .map(each => each.replace(/^(DNS|IP Address):/, ''))

test('the certificate names this machine and its addresses, the URL the first one', async () => {
  const { paddock } = await paddockAt({}, ['192.168.8.20', 'fd00::20'])
  expect(hostsOf(paddock)).toEqual(['192.168.8.20', 'FD00:0:0:0:0:0:0:20', '127.0.0.1', ...names])
  expect(paddock.publicUrl()).toBe('https://192.168.8.20:3443')
})

test('a machine that changes its network gets a new certificate of its authority', async () => {
  const { paddock, printed, moveTo, start } = await paddockAt()
  const url = await start()
  const root = await (await fetch(`${url}/pitboard.crt`)).arrayBuffer()
  await moveTo(['10.0.0.7'])
  expect(hostsOf(paddock)).toContain('10.0.0.7')
  expect(hostsOf(paddock)).not.toContain('192.168.8.20')
  expect(paddock.publicUrl()).toBe('https://10.0.0.7:3443')
  expect(printed.at(-1)).toContain('https://10.0.0.7:3443')
  const issuer = new X509Certificate(Buffer.from(root))
  expect(new X509Certificate(paddock.current().cert).verify(issuer.publicKey)).toBe(true)
})

test('a new name of the machine, which phones would not accept, is left out', async () => {
  const { paddock, moveTo, start } = await paddockAt()
  await start()
  await moveTo(['10.0.0.7'], ['renamed', 'renamed.local', 'localhost'])
  expect(hostsOf(paddock)).toEqual(['10.0.0.7', '127.0.0.1', 'localhost'])
})

test('without a network it serves this machine, and phones once it joins one', async () => {
  const { paddock, printed, moveTo, start } = await paddockAt({}, [])
  await start()
  expect(printed.at(-1)).toContain('in no local network yet')
  await moveTo(['192.168.8.20'])
  expect(printed.at(-1)).toContain('http://192.168.8.20:')
  expect(paddock.publicUrl()).toBe('https://192.168.8.20:3443')
})

test('PUBLIC_URL must be an address for which phones trust the authority', async () => {
  const chosen = await paddockAt({ PUBLIC_URL: 'https://pit.northline.local:3443' })
  expect(chosen.paddock.publicUrl()).toBe('https://pit.northline.local:3443')
  expect(hostsOf(chosen.paddock)?.[0]).toBe('pit.northline.local')
  await expect(paddockAt({ PUBLIC_URL: 'https://bank.example' })).rejects.toThrow(SettingsRefused)
  await expect(paddockAt({ PUBLIC_URL: 'https://8.8.8.8' })).rejects.toThrow(/PUBLIC_URL must/)
})

test('the page without HTTPS hands out the certificate, and sets no cookie', async () => {
  const { start } = await paddockAt()
  const url = await start()
  const page = await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 16)' } })
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain('connect-src https://127.0.0.1:3443;')
  expect(page.headers.get('set-cookie')).toBeNull()
  const shown = await page.text()
  expect(shown).toContain('id="android" checked')
  expect(shown).toContain('only for addresses of local networks')
  expect(shown).not.toMatch(/src=/)

  const profile = await fetch(`${url}/pitboard.mobileconfig`)
  expect(profile.headers.get('content-type')).toBe('application/x-apple-aspen-config')
  const root = Buffer.from(await (await fetch(`${url}/pitboard.crt`)).arrayBuffer())
  expect(await profile.text()).toContain(`<data>${root.toString('base64')}</data>`)
  expect(new X509Certificate(root).ca).toBe(true)
})

test('other paths without HTTPS lead to that page, and nothing can be sent to it', async () => {
  const { start } = await paddockAt()
  const url = await start()
  const elsewhere = await fetch(`${url}/api/teams.list`, { redirect: 'manual' })
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([302, '/'])
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405)
})

test('a Host header that the certificate does not have leads to the public URL', async () => {
  const { paddock, start } = await paddockAt({ PUBLIC_URL: 'https://192.168.8.20:3443' })
  const page = await fetch(await start())
  expect(page.headers.get('content-security-policy')).toContain(
    `connect-src ${paddock.publicUrl()};`,
  )
})
