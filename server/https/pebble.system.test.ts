import { spawn, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import acme from 'acme-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#testing/freePort.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { createHttp } from '../http/server.ts'
import { createLog } from '../log.ts'
import { Authority } from './authority.ts'
import { AutomaticHttps } from './automaticHttps.ts'

const host = 'pit.example.com'
const hasPebble = spawnSync('pebble-challtestsrv', ['-h']).error === undefined
describe.runIf(hasPebble)('with a real ACME server (Debian: apt-get install pebble)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitboard-pebble-'))
  const stops: (() => void)[] = []
  afterAll(() => {
    for (const stop of stops) stop()
    Object.assign(acme.axios.defaults, { httpsAgent: undefined })
    rmSync(folder, { recursive: true, force: true })
  })
  let directory = ''
  let dns = 0
  let management = 0
  let ports = { http: 0, https: 0 }

  beforeAll(async () => {
    const api = await freePort()
    dns = await freePort()
    management = await freePort()
    ports = { http: await freePort(), https: await freePort() }
    const authority = await Authority.open(folder, ['localhost'], Date.now())
    const { cert, key } = await authority.issue(['127.0.0.1'], Date.now())
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key)
    const pebble = {
      listenAddress: `127.0.0.1:${api}`,
      managementListenAddress: `127.0.0.1:${await freePort()}`,
      certificate: join(folder, 'cert.pem'),
      privateKey: join(folder, 'key.pem'),
      httpPort: ports.http,
      tlsPort: ports.https,
    }
    writeFileSync(join(folder, 'pebble.json'), JSON.stringify({ pebble }))
    const localDns = `127.0.0.1:${dns}`
    const noAnswerer = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
    await run('pebble-challtestsrv', [
      '-dns01',
      localDns,
      '-management',
      `127.0.0.1:${management}`,
      ...noAnswerer,
    ])
    await run(
      'pebble',
      ['-config', join(folder, 'pebble.json'), '-dnsserver', `127.0.0.1:${dns}`],
      {
        PEBBLE_VA_NOSLEEP: '1',
        PEBBLE_WFE_NONCEREJECT: '20',
      },
    )
    Object.assign(acme.axios.defaults, { httpsAgent: new Agent({ ca: authority.pem }) })
    directory = `https://127.0.0.1:${api}/dir`
  })

  /** Starts a program, and resolves when it has printed that it listens. */
  function run(program: string, args: string[], env: Record<string, string> = {}) {
    const child = spawn(program, args, { env: { ...process.env, ...env } })
    stops.push(() => child.kill())
    return new Promise<void>((resolve, reject) => {
      const read = (output: Buffer) =>
        void (/istening|Starting management/.test(String(output)) && resolve())
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', code => reject(new Error(`${program} ended with ${code}`)))
    })
  }

  /** A server on the ports that the authority checks. */
  async function startServer(settings: Record<string, string> = {}) {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const config = readConfig({
      HTTPS: 'auto',
      PUBLIC_URL: `https://${host}`,
      ALLOW_MAIL_TO_TERMINAL: '1',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      HTTP_PORT: String(ports.http),
      HTTPS_PORT: String(ports.https),
      ACME_URL: directory,
      ...settings,
    })
    const printed: string[] = []
    let aheadMs = 0
    const log = createLog('silent')
    const https = await AutomaticHttps.open({
      config,
      log,
      clock: {
        ...systemClock,
        now: () => Date.now() + aheadMs,
        after: (_delayMs, act) => systemClock.after(100, act),
      },
      print: text => void onPrinted(printed, text),
      lookUp: name => {
        const resolver = new Resolver()
        resolver.setServers([`127.0.0.1:${dns}`])
        return resolver.resolveTxt(name)
      },
    })
    const http = await createHttp({
      log,
      trustProxy: [],
      publicUrl: () => https.publicUrl(),
      certificate: https,
    })
    await http.listen({ host: config.host, port: config.httpsPort })
    await https.start(http.server)
    onTestFinished(async () => {
      https.close()
      await http.close()
    })
    return {
      https,
      printed,
      pass(ms: number) {
        aheadMs += ms
      },
    }
  }

  /** Sets the TXT record that the server asks its operator for. */
  async function onPrinted(printed: string[], text: string) {
    printed.push(text)
    const record = /(_acme-challenge\S+) {2}(\S+)/.exec(text)
    if (!record) return
    await fetch(`http://127.0.0.1:${management}/set-txt`, {
      method: 'POST',
      body: JSON.stringify({ host: `${record[1]}.`, value: record[2] }),
    })
  }

  async function servedIssuer() {
    const socket = connectTls({
      host: '127.0.0.1',
      port: ports.https,
      servername: host,
      rejectUnauthorized: false,
    })
    await once(socket, 'secureConnect')
    const issuer = socket.getPeerX509Certificate()?.issuer
    socket.destroy()
    return issuer
  }

  test('HTTP-01: a certificate is issued and served', async () => {
    const { https } = await startServer()
    expect(await servedIssuer()).toBe('O=Pitboard')
    await https.check()
    expect(https.state()).toMatch(/^\d+ days left$/)
    expect(await servedIssuer()).toContain('Pebble')
    expect(new X509Certificate(https.current().cert).checkHost(host)).toBe(host)
  })

  test('TLS-ALPN-01 is tried if HTTP-01 fails, while browsers connect', async () => {
    const { https, printed, pass } = await startServer({ HTTP_PORT: String(await freePort()) })
    await https.check()
    expect(printed.join('')).toContain('Last try: ')
    pass(3 * 60_000)
    const during = servedIssuer()
    await https.check()
    expect(await during).toBe('O=Pitboard')
    expect(https.state()).toMatch(/^\d+ days left$/)
    expect(await servedIssuer()).toContain('Pebble')
  })

  test('DNS-01: the operator sets the record that is printed', async () => {
    const { https, printed } = await startServer({ ACME_CHALLENGE: 'dns' })
    await https.check()
    expect(printed.join('')).toContain(`_acme-challenge.${host}  `)
    expect(https.state()).toMatch(/^\d+ days left$/)
  })
})
