import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import { type AcmeServer, startAcmeServer } from '#testing/acmeServer.ts'
import { stoppedClock } from '#testing/clock.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { AutomaticHttps } from './automaticHttps.ts'

/** A server that gets its certificates from this authority, on a clock that the test sets. */
async function httpsFrom(acme: AcmeServer) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitboard-acme-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const logged: string[] = []
  const clock = stoppedClock()
  const config = readConfig({
    HTTPS: 'auto',
    PUBLIC_URL: 'https://pit.example.com',
    ALLOW_MAIL_TO_TERMINAL: '1',
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    HTTP_PORT: '0',
  })
  const open = () =>
    AutomaticHttps.open({
      config: { ...config, acmeUrl: acme.url },
      log: createLog('error', { write: line => logged.push(line) }),
      clock,
      print: () => {},
    })
  const https = await open()
  return {
    https,
    open,
    clock,
    dataDir,
    logged,
    /** Lets time pass with a look every hour. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += hourMs) {
        clock.pass(hourMs)
        await https.check()
      }
    },
  }
}

const from = (at: number, days: number) => ({
  notBefore: new Date(at),
  notAfter: new Date(at + days * dayMs),
})
const issuerOf = (https: AutomaticHttps) => new X509Certificate(https.current().cert).issuer
const serialOf = (https: AutomaticHttps) => new X509Certificate(https.current().cert).serialNumber

test('the first certificate is ordered at once, private, and used after a restart', async () => {
  await using acme = await startAcmeServer(from(Date.now(), 90))
  const { https, open, dataDir } = await httpsFrom(acme)
  expect(issuerOf(https)).toBe('O=Pitboard')
  expect(https.daysLeft()).toBe(0)
  const replaced = new Promise(resolve => https.onReplaced(resolve))
  await https.check()
  expect(await replaced).toEqual(https.current())
  expect(issuerOf(https)).toBe('CN=Stub authority')
  expect(Math.round(https.daysLeft())).toBe(90)
  for (const name of ['certificate.json', 'account.pem'])
    expect(statSync(join(dataDir, 'https', name)).mode & 0o777).toBe(0o600)
  const again = await open()
  await again.check()
  expect(again.current().cert).toBe(https.current().cert)
  expect(acme.orders).toBe(1)
})

test.each([90, 45, 6])('a certificate of %i days is renewed when a third is left', async days => {
  await using acme = await startAcmeServer(from(Date.now(), days))
  const { https, clock, pass } = await httpsFrom(acme)
  await https.check()
  await pass((days * dayMs * 2) / 3 - 2 * hourMs)
  expect(acme.orders).toBe(1)
  acme.validity = from(clock.now(), days)
  await pass(4 * hourMs)
  expect(acme.orders).toBe(2)
  expect(https.daysLeft()).toBeGreaterThan(days - 1)
})

test('a rate limit is logged with its sentence, and retried with backoff', async () => {
  await using acme = await startAcmeServer(from(Date.now(), 90))
  const { https, clock, logged, pass } = await httpsFrom(acme)
  const detail = 'too many failed authorizations (5) for "pit.example.com" in the last 1h0m0s'
  acme.problem = { status: 429, type: 'urn:ietf:params:acme:error:rateLimited', detail }
  await https.start(createServer())
  onTestFinished(() => https.close())
  await https.check()
  await https.check()
  expect(acme.orders).toBe(1)
  expect(logged.join('')).toContain(
    `failed to obtain a certificate: ${JSON.stringify(detail).slice(1, -1)}`,
  )
  expect(https.state()).toBe(`none yet. Last try: ${detail}`)
  // After 2, 4, 8 … minutes.
  for (let minute = 0; minute < 60; minute += 1) {
    clock.pass(60_000)
    await https.check()
  }
  expect(acme.orders).toBe(5)
  await pass(2 * dayMs)
  expect(acme.orders).toBeLessThan(18)
  acme.problem = undefined
  await pass(7 * hourMs)
  expect(https.state()).toMatch(/^\d+ days left$/)
})

test('the server runs on while the authority is down for 30 days, then renews', async () => {
  await using acme = await startAcmeServer(from(Date.now(), 90))
  const { https, clock, logged, pass } = await httpsFrom(acme)
  await https.check()
  const first = serialOf(https)
  await pass(60 * dayMs - 2 * hourMs)
  acme.isDown = true
  await pass(29 * dayMs)
  expect(serialOf(https)).toBe(first)
  expect(https.state()).toMatch(/^1 day left\. Last try: socket hang up$/)
  expect(logged.length).toBeLessThan(150)
  acme.isDown = false
  acme.validity = from(clock.now(), 64)
  await pass(7 * hourMs)
  expect(serialOf(https)).not.toBe(first)
  expect(https.daysLeft()).toBeGreaterThan(63)
})

test('a certificate that the authority revokes is replaced within hours', async () => {
  await using acme = await startAcmeServer(from(Date.now(), 90))
  const { https, clock, pass } = await httpsFrom(acme)
  await https.check()
  await pass(dayMs)
  expect(acme.orders).toBe(1)
  acme.renewAt = new Date(clock.now() - hourMs)
  await pass(7 * hourMs)
  expect(acme.orders).toBe(2)
  await pass(dayMs)
  expect(acme.orders).toBe(2)
})

test.each([
  ['behind', 1],
  ['ahead', -1],
])('a clock a day %s neither refuses the certificate nor orders it repeatedly', async (_, days) => {
  await using acme = await startAcmeServer(from(Date.now() + days * dayMs, 90))
  const { https, pass } = await httpsFrom(acme)
  await https.check()
  await pass(3 * dayMs)
  expect(acme.orders).toBe(1)
  expect(issuerOf(https)).toBe('CN=Stub authority')
})

test('a clock that is a year ahead is reported, and the authority is not flooded', async () => {
  await using acme = await startAcmeServer(from(Date.now() - 365 * dayMs, 90))
  const { https, pass } = await httpsFrom(acme)
  await https.check()
  expect(https.state()).toContain("is this machine's clock right?")
  expect(issuerOf(https)).toBe('CN=Stub authority')
  await pass(dayMs)
  expect(acme.orders).toBeLessThan(14)
})
