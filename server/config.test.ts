import { expect, test } from 'vitest'
import { hasDevPages, isLoopback, isOnlyForThisMachine, readConfig } from './config.ts'

const published = { PUBLIC_URL: 'https://pit.example', SMTP_URL: 'smtp://mail.example' }

test('the defaults serve only this machine', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: undefined,
    dataDir: './data',
    databaseUrl: undefined,
    smtpUrl: undefined,
    google: undefined,
    trustProxy: [],
    dev: false,
  })
  expect(isOnlyForThisMachine(config)).toBe(true)
})

test.each([
  ['PORT', 'abc'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['PUBLIC_URL', 'pitboard.example.com'],
  ['PUBLIC_URL', 'ftp://pitboard.example.com'],
  ['PUBLIC_URL', 'https://pitboard.example.com/app'],
  ['DATABASE_URL', 'mysql://localhost/pitboard'],
  ['NATS_URL', 'localhost:4222'],
  ['SMTP_URL', 'mail.example.com'],
  ['GOOGLE_ISSUER', 'accounts.google.com'],
  ['PORT', ' '],
  ['PUBLIC_URL', 'https://user:secret@pit.example'],
  ['PUBLIC_URL', 'https://pit.example/?q=1'],
  ['MAIL_FROM', 'nonsense'],
  ['MAIL_FROM', 'Pit <a@b>, Wall <c@d>'],
  ['TRUST_PROXY', 'garbage'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['DEV', 'yes'],
  ['DEV_TOKEN', 'short'],
  ['HISTORY_DAYS', '0'],
  ['HISTORY_DAYS', '1.5'],
  ['METRICS_TOKEN', 'short'],
  ['METRICS_TOKEN', 'not a bearer token at all'],
  ['LOG_LEVEL', 'loud'],
  ['PUBLIC_URL', 'http://pitboard.example.com'],
  ['SECURITY_CONTACT', 'security@example.com'],
  ['SECURITY_CONTACT', 'http://example.com/security'],
  ['MAX_CONNECTIONS', '0'],
  ['HTTPS', '1'],
  ['HTTP_PORT', '65536'],
  ['ACME_URL', 'http://acme.example.com/directory'],
  ['ACME_CHALLENGE', 'tls'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^Settings refused:\\n  ${name} `))
})

test('all wrong settings are reported together', () => {
  expect(() => readConfig({ PORT: 'x', SMTP_URL: 'x' })).toThrow(/PORT [^]*SMTP_URL /)
})

test('Google sign-in needs both settings or none', () => {
  expect(() => readConfig({ GOOGLE_CLIENT_ID: 'id' })).toThrow('GOOGLE_CLIENT_SECRET')
  expect(readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 's' }).google).toEqual({
    clientId: 'id',
    clientSecret: 's',
    issuer: 'https://accounts.google.com',
  })
})

test('listening on the network requires PUBLIC_URL', () => {
  expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/^Settings refused:\n {2}PUBLIC_URL must/)
})

test('a paddock needs no public URL, mail server, or rights for its ports', () => {
  const config = readConfig({ HTTPS: 'paddock' })
  expect(config).toMatchObject({ https: 'paddock', httpPort: 3000, httpsPort: 3443, dev: false })
  expect(['::', '0.0.0.0']).toContain(config.host)
  expect(isOnlyForThisMachine(config)).toBe(false)
  expect(() => readConfig({ HTTPS: 'paddock', DEV: '1' })).toThrow(/\n {2}DEV must not be 1/)
  expect(() => readConfig({ HTTPS: 'paddock', PUBLIC_URL: 'http://127.0.0.1' })).toThrow(
    /\n {2}PUBLIC_URL must begin with https/,
  )
})

test('a certificate of a public authority needs a name and one process', () => {
  const auto = { ...published, HTTPS: 'auto' }
  const withoutMails = { ...auto, SMTP_URL: '' }
  expect(readConfig(withoutMails).printsMails).toBe(false)
  expect(readConfig({ ...withoutMails, ALLOW_MAIL_TO_TERMINAL: '1' }).printsMails).toBe(true)
  expect(readConfig(auto)).toMatchObject({ https: 'auto', httpPort: 80, httpsPort: 443 })
  expect(readConfig({ ...auto, HTTPS_PORT: '8443' }).httpsPort).toBe(8443)
  for (const PUBLIC_URL of ['', 'https://192.168.8.20', 'https://pit', 'https://localhost'])
    expect(() => readConfig({ ...auto, PUBLIC_URL })).toThrow(/\n {2}PUBLIC_URL must/)
  const nodes = { DATABASE_URL: 'postgres://db/pitboard', NATS_URL: 'nats://bus:4222' }
  expect(() => readConfig({ ...auto, ...nodes })).toThrow(/\n {2}HTTPS must not be set together/)
})

test('backups are only for the embedded database', () => {
  expect(readConfig({ BACKUP_DIR: '/backups' }).backupDir).toBe('/backups')
  const both = { BACKUP_DIR: '/backups', DATABASE_URL: 'postgres://db/pitboard' }
  expect(() => readConfig(both)).toThrow(/^Settings refused:\n {2}BACKUP_DIR is for the embedded/)
})

test('an empty setting counts as not set', () => {
  const given = { DEV_TOKEN: 'token-of-this-server' }
  expect(readConfig({ ...given, PORT: '', PUBLIC_URL: '', DATABASE_URL: '' })).toEqual(
    readConfig(given),
  )
})

test('a trailing slash of PUBLIC_URL is ignored', () => {
  const settings = { ...published, PUBLIC_URL: 'https://pit.example/' }
  expect(readConfig(settings).publicUrl).toBe('https://pit.example')
})

test('a public address or a network address is not only for this machine', () => {
  const bound = { ...published, HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }
  expect(isOnlyForThisMachine(readConfig(bound))).toBe(false)
  expect(isOnlyForThisMachine(readConfig(published))).toBe(false)
  expect(isOnlyForThisMachine(readConfig({ PUBLIC_URL: 'http://localhost:3000' }))).toBe(true)
})

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['127.0.0.1.evil.example', false],
  ['192.168.1.4', false],
])('isLoopback(%s) is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('the /dev pages need DEV=1 and a server only for this machine', () => {
  expect(hasDevPages(readConfig({}))).toBe(false)
  expect(hasDevPages(readConfig({ DEV: '0' }))).toBe(false)
  expect(hasDevPages(readConfig({ DEV: '1' }))).toBe(true)
  expect(hasDevPages(readConfig({ DEV: '1', PUBLIC_URL: 'http://localhost:3000' }))).toBe(true)
  for (const others of [
    { PUBLIC_URL: 'https://pit.example' },
    { PUBLIC_URL: 'pit.example' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
  ]) {
    expect(() => readConfig({ DEV: '1', ...others })).toThrow(/^ {2}DEV must not be 1/m)
  }
})

test('serving others without HTTPS needs ALLOW_INSECURE_HTTP', () => {
  const settings = { PUBLIC_URL: 'http://10.0.0.5:3000', ALLOW_MAIL_TO_TERMINAL: '1' }
  expect(() => readConfig(settings)).toThrow('ALLOW_INSECURE_HTTP=1')
  expect(readConfig({ ...settings, ALLOW_INSECURE_HTTP: '1' }).publicUrl).toBe(settings.PUBLIC_URL)
  expect(readConfig({ PUBLIC_URL: 'http://localhost:8080' }).publicUrl).toBeDefined()
})

test('serving others without a mail server needs ALLOW_MAIL_TO_TERMINAL', () => {
  const settings = { HOST: '0.0.0.0', PUBLIC_URL: 'https://pit.example' }
  expect(() => readConfig(settings)).toThrow(/SMTP_URL .*ALLOW_MAIL_TO_TERMINAL=1/)
  expect(readConfig({ ...settings, ALLOW_MAIL_TO_TERMINAL: '1' }).smtpUrl).toBeUndefined()
  expect(readConfig({ ...settings, SMTP_URL: 'smtp://mail.example' }).smtpUrl).toBeDefined()
})
