import { randomBytes, webcrypto, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  AuthorityKeyIdentifierExtension,
  Pkcs10CertificateRequest,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import { stoppedClock } from '#testing/clock.ts'
import { listening } from '#testing/listening.ts'
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
    /** Advances the clock, and checks the certificate every hour. */
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

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** An error as an ACME server answers it (RFC 8555, 6.7), with its status. */
interface Problem {
  status: number
  type: string
  detail: string
}

/** A certificate authority according to RFC 8555 with the faults that a test sets. It checks no challenge. */
interface AcmeServer extends AsyncDisposable {
  url: string
  /** Counts the orders that were placed, also refused ones. */
  orders: number
  /** Refuses new orders with it; undefined accepts them. */
  problem: Problem | undefined
  /** Closes each connection without an answer. */
  isDown: boolean
  /** Validity of the certificates that it issues. */
  validity: { notBefore: Date; notAfter: Date }
  /** When it suggests to renew the certificate (RFC 9773); the next one gets no suggestion. */
  renewAt: Date | undefined
}

async function startAcmeServer(validity: AcmeServer['validity']): Promise<AcmeServer> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Stub authority',
    keys,
    signingAlgorithm: algorithm,
  })
  let issued = ''

  async function issue(csr: string) {
    const request = new Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'))
    const certificate = await X509CertificateGenerator.create({
      ...stub.validity,
      serialNumber: `01${randomBytes(8).toString('hex')}`,
      subject: request.subject,
      issuer: root.subject,
      publicKey: request.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [await AuthorityKeyIdentifierExtension.create(keys.publicKey)],
    })
    issued = certificate.toString('pem')
    stub.renewAt = undefined
  }

  async function answer(path: string, payload: Record<string, string>, send: Send) {
    const at = (name: string) => stub.url.replace('/directory', name)
    const order = (status: string) => ({
      status,
      identifiers: [{ type: 'dns', value: 'pit.example.com' }],
      authorizations: [at('/authorization')],
      finalize: at('/finalize'),
      certificate: at('/certificate'),
    })
    switch (path) {
      case '/directory':
        return send(200, {
          newNonce: at('/nonce'),
          newAccount: at('/account'),
          newOrder: at('/order'),
          renewalInfo: at('/renewal'),
          meta: {},
        })
      case '/account':
        return send(201, { status: 'valid' }, { location: at('/account/1') })
      case '/order':
        stub.orders += 1
        return stub.problem
          ? send(stub.problem.status, stub.problem)
          : send(201, order('pending'), { location: at('/order/1') })
      case '/authorization':
        return send(200, {
          status: 'pending',
          identifier: { type: 'dns', value: 'pit.example.com' },
          challenges: ['http-01', 'tls-alpn-01', 'dns-01'].map(type => ({
            type,
            url: at('/challenge'),
            token: 'token',
            status: 'pending',
          })),
        })
      case '/challenge':
        return send(200, { status: 'valid' })
      case '/finalize':
        await issue(payload.csr ?? '')
        return send(200, order('valid'), { location: at('/order/1') })
      case '/order/1':
        return send(200, order(issued ? 'valid' : 'ready'))
      case '/certificate':
        return send(200, issued, { 'content-type': 'application/pem-certificate-chain' })
      default:
        if (!path.startsWith('/renewal/')) return send(200, {})
        return stub.renewAt
          ? send(200, { suggestedWindow: { start: stub.renewAt, end: stub.renewAt } })
          : send(404, {})
    }
  }

  const server = createServer((request, response) => {
    if (stub.isDown) return void request.socket.destroy()
    void payloadOf(request).then(payload => answer(request.url ?? '', payload, sender(response)))
  })
  const { url, [Symbol.asyncDispose]: close } = await listening(server)
  const stub: AcmeServer = {
    url: `${url}/directory`,
    orders: 0,
    problem: undefined,
    isDown: false,
    validity,
    renewAt: undefined,
    [Symbol.asyncDispose]: close,
  }
  return stub
}

type Send = (status: number, body: unknown, headers?: Record<string, string>) => void

function sender(response: ServerResponse): Send {
  return (status, body, headers = {}) => {
    const type = status >= 400 ? 'application/problem+json' : 'application/json'
    response
      .writeHead(status, {
        'replay-nonce': randomBytes(8).toString('base64url'),
        'content-type': type,
        ...headers,
      })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** The payload of a signed request; the stub does not check signatures. */
async function payloadOf(request: IncomingMessage): Promise<Record<string, string>> {
  const body = await text(request)
  if (body === '') return {}
  const { payload } = JSON.parse(body) as { payload: string }
  return payload === '' ? {} : JSON.parse(String(Buffer.from(payload, 'base64url')))
}
