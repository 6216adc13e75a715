import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { Authority, isLocalAddress } from './authority.ts'
import { localHostNames, localNetworkAddresses } from './localNames.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'pitboard-authority-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const now = Date.now()
const names = ['northline', 'northline.local', 'localhost']
const authority = await Authority.open(dataDir, names, now)

test('the authority is made once, and only its owner can read its key', async () => {
  const path = join(dataDir, 'https', 'authority.json')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const again = await Authority.open(dataDir, ['other'], now)
  expect(again.pem).toBe(authority.pem)
  expect(again.permits('northline.local')).toBe(true)
  expect(again.permits('other')).toBe(false)
})

test('the root certificate has critical name constraints', () => {
  const text = execFileSync('openssl', ['x509', '-noout', '-ext', 'nameConstraints'], {
    input: authority.pem,
    encoding: 'utf8',
  })
  expect(text).toContain('X509v3 Name Constraints: critical')
  expect([...text.matchAll(/(?:DNS|IP):(\S+)/g)].map(([, each]) => each)).toEqual([
    ...names,
    '10.0.0.0/255.0.0.0',
    '172.16.0.0/255.240.0.0',
    '192.168.0.0/255.255.0.0',
    '169.254.0.0/255.255.0.0',
    '127.0.0.0/255.0.0.0',
    'FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0',
    'FE80:0:0:0:0:0:0:0/FFC0:0:0:0:0:0:0:0',
  ])
})

test.each([
  [1, 0x81],
  [20, 0x82],
])('the list of %i names is encoded as briefly as browsers demand', async (count, form) => {
  const many = Array.from({ length: count }, (_, index) => `northline-${index}`)
  const folder = join(dataDir, String(count))
  const { der } = await Authority.open(folder, many, now)
  const oid = Buffer.from('0603551d1e0101ff04', 'hex')
  const wrapped = der.subarray(der.indexOf(oid) + oid.length)
  expect(wrapped[0]).toBe(form)
  expect(form === 0x81 ? wrapped[1] : wrapped.readUInt16BE(1)).toBeGreaterThanOrEqual(
    form === 0x81 ? 0x80 : 0x100,
  )
  expect(wrapped[form === 0x81 ? 3 : 4]).toBe(form)
})

test.each([
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.8.20', true],
  ['169.254.1.1', true],
  ['127.0.0.2', true],
  ['8.8.8.8', false],
  ['fd00::1', true],
  ['fe80::1', true],
  ['2001:db8::1', false],
  ['northline.local', false],
])('%s is an address of a local network: %s', (address, isLocal) => {
  expect(isLocalAddress(address)).toBe(isLocal)
})

describe('a certificate', () => {
  const hosts = ['192.168.8.20', 'fd00::20', 'northline', 'northline.local', 'localhost']

  test('is for the hosts, and no longer valid than Apple accepts', async () => {
    const { cert } = await authority.issue(hosts, now)
    const certificate = new X509Certificate(cert)
    for (const host of hosts)
      expect(isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)).toBe(host)
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000
    expect(days).toBeLessThanOrEqual(825)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(now - 86_000_000)
  })

  test('passes the checks of OpenSSL', async () => {
    const { cert } = await authority.issue(hosts, now)
    expect(verified(cert)).toContain('OK')
  })

  test('of a stolen key for a public name or address fails them', async () => {
    for (const host of ['bank.example', 'com', '8.8.8.8', '2001:db8::1', 'northline.example']) {
      const { cert } = await authority.issue([host], now)
      expect(authority.permits(host)).toBe(false)
      expect(verified(cert)).toContain('permitted subtree violation')
    }
  })

  test('is accepted by Node for its address', async () => {
    const server = createServer({ ...(await authority.issue(['127.0.0.1'], now)) })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const socket = connect({ host: '127.0.0.1', port, ca: authority.pem })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(true)
    socket.destroy()
    server.close()
  })
})

test('a machine has its name, the one of mDNS and localhost', () => {
  expect(localHostNames('Northline')).toEqual(['northline', 'northline.local', 'localhost'])
  expect(localHostNames('northline.local')).toEqual(['northline', 'northline.local', 'localhost'])
  expect(localHostNames('pit.team.example')).toEqual(['pit.team.example', 'localhost'])
  expect(localHostNames('Ana’s laptop')).toEqual(['localhost'])
})

test('addresses of Wi-Fi come before those of containers, and all are local', () => {
  const at = (address: string, internal = false) => ({
    address,
    internal,
    family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
    netmask: '',
    mac: '',
    cidr: null,
    scopeid: 0,
  })
  expect(
    localNetworkAddresses({
      lo: [at('127.0.0.1', true)],
      docker0: [at('172.17.0.1')],
      eth0: [at('fd00::20'), at('fe80::1'), at('2001:db8::1'), at('203.0.113.9')],
      wlan0: [at('192.168.8.20')],
    }),
  ).toEqual(['192.168.8.20', 'fd00::20', '172.17.0.1'])
})

/** Returns the verdict of OpenSSL on a certificate, for a client that trusts only the authority. */
function verified(cert: string): string {
  const [root, leaf] = [join(dataDir, 'root.pem'), join(dataDir, 'leaf.pem')]
  writeFileSync(root, authority.pem)
  writeFileSync(leaf, cert)
  try {
    return execFileSync(
      'openssl',
      ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', root, leaf],
      {
        encoding: 'utf8',
        stdio: 'pipe',
      },
    )
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  }
}
