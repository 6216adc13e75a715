import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import type { TimingPreset } from '#contract/timing.ts'
import {
  requireOneSupport,
  type SupportConfig,
  SupportSettings,
  toSupport,
} from '#support/server/settings.ts'
import { requireWholeS3, type S3, S3Settings, toS3 } from './s3Settings.ts'

const Url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` })

const flag = (isOn = false) =>
  z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .default(isOn ? '1' : '0')
    .transform(text => text === '1')

const Port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
  .transform(Number)
  .refine(port => port <= 65535, 'must be a number from 0 to 65535')

/** A whole number from 1 on with at most `digits` digits. */
const WholeNumber = (digits: number, what = 'a number') =>
  z
    .string()
    .regex(
      new RegExp(`^[1-9]\\d{0,${digits - 1}}$`),
      `must be ${what} from 1 to ${'9'.repeat(digits)}`,
    )
    .transform(Number)

/** Comma-separated entries. */
const List = z
  .string()
  .default('')
  .transform(text =>
    text
      .split(',')
      .map(entry => entry.trim())
      .filter(entry => entry !== ''),
  )

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const Settings = z
  .object({
    PORT: Port.default(3000),
    HOST: z.string().min(1).optional(),
    HTTPS: z.enum(['auto', 'paddock'], { error: 'must be auto or paddock' }).optional(),
    HTTP_PORT: Port.optional(),
    HTTPS_PORT: Port.optional(),
    ACME_URL: Url(/^https$/, 'https://acme.example.com/directory').default(
      'https://acme-v02.api.letsencrypt.org/directory',
    ),
    ACME_CHALLENGE: z.enum(['http', 'dns'], { error: 'must be http or dns' }).default('http'),
    PUBLIC_URL: Url(/^https?$/, 'https://pitboard.example.com')
      .refine(isOriginOnly, 'must be a scheme and a host, without user, path or query')
      .optional(),
    DATA_DIR: z.string().min(1).default('./data'),
    BACKUP_DIR: z.string().min(1).optional(),
    DATABASE_URL: Url(/^postgres(ql)?$/, 'postgres://user:password@host/pitboard').optional(),
    NATS_URL: Url(/^(nats|tls)$/, 'nats://user:password@host:4222').optional(),
    ALLOW_SHARED_DATABASE: flag(),
    SMTP_URL: Url(/^smtps?$/, 'smtps://user:password@mail.example.com').optional(),
    MAIL_FROM: z
      .string()
      .regex(
        /^([^<>\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
        'must be an address such as Pitboard <pitboard@example.com>',
      )
      .default('Pitboard <pitboard@localhost>'),
    GOOGLE_CLIENT_ID: z.string().min(1).optional(),
    GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
    GOOGLE_ISSUER: Url(/^https?$/, 'https://accounts.google.com').default(
      'https://accounts.google.com',
    ),
    ...S3Settings.shape,
    ...SupportSettings.shape,
    TRUST_PROXY: List.refine(
      parts => parts.every(isNetwork),
      'must be comma-separated IP addresses or ranges such as 10.0.0.0/8',
    ),
    HISTORY_DAYS: WholeNumber(5, 'a number of days').default(400),
    FIXES_PER_SECOND: WholeNumber(5).default(10),
    CONNECTIONS_PER_USER: WholeNumber(4).default(20),
    TIMING_HOSTS: List,
    TIMING_PRESETS: List.refine(
      parts => parts.every(part => presetIn.test(part)),
      'must be comma-separated entries such as Zolder=timing.example.com:50000',
    ),
    RACE_MONITOR_URL: Url(/^https?$/, 'https://api.race-monitor.com').default(
      'https://api.race-monitor.com',
    ),
    RACEHERO_URL: Url(/^https?$/, 'https://api.racehero.io/v1').default(
      'https://api.racehero.io/v1',
    ),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'must be at least 16 letters and digits')
      .optional(),
    DEV: flag(),
    DEV_TOKEN: z
      .string()
      .regex(/^[\w-]{16,}$/, 'must be at least 16 letters and digits')
      .default(() => randomBytes(16).toString('base64url')),
    ANONYMOUS_ACCOUNTS: flag(),
    ALLOW_INSECURE_HTTP: flag(),
    ALLOW_MAIL_TO_TERMINAL: flag(),
    WEB_PUSH: flag(true),
    SECURITY_CONTACT: Url(
      /^(mailto|https)$/,
      'mailto:security@example.com or https://example.com/security',
    ).optional(),
    MAX_CONNECTIONS: WholeNumber(7).optional(),
    LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).optional(),
  })
  .refine(s => (s.GOOGLE_CLIENT_ID === undefined) === (s.GOOGLE_CLIENT_SECRET === undefined), {
    path: ['GOOGLE_CLIENT_SECRET'],
    error: 'must be set together with GOOGLE_CLIENT_ID',
  })
  .refine(s => s.PUBLIC_URL !== undefined || s.HTTPS === 'paddock' || isLoopback(hostOf(s)), {
    path: ['PUBLIC_URL'],
    error: 'must be set when HOST is not a loopback address: links in mails use it',
  })
  .refine(s => !s.DEV || isForThisMachineAlone(hostOf(s), s.PUBLIC_URL), {
    path: ['DEV'],
    error: 'must not be 1 when HOST or PUBLIC_URL let others connect: /dev shows everybody’s codes',
  })
  .refine(s => s.ALLOW_INSECURE_HTTP || isEncrypted(s.PUBLIC_URL), {
    path: ['PUBLIC_URL'],
    error:
      'must begin with https:, otherwise anybody on the network can read logins; ALLOW_INSECURE_HTTP=1 allows it',
  })
  .refine(
    s =>
      s.SMTP_URL ||
      s.ALLOW_MAIL_TO_TERMINAL ||
      s.HTTPS !== undefined ||
      isForThisMachineAlone(hostOf(s), s.PUBLIC_URL),
    {
      path: ['SMTP_URL'],
      error:
        'must be set when HOST or PUBLIC_URL let others connect, otherwise everybody’s sign-in codes are printed in the terminal; ALLOW_MAIL_TO_TERMINAL=1 allows it',
    },
  )
  .refine(s => s.BACKUP_DIR === undefined || s.DATABASE_URL === undefined, {
    path: ['BACKUP_DIR'],
    error: 'is for the embedded database: back up the server of DATABASE_URL with its own tools',
  })
  .refine(s => s.NATS_URL === undefined || s.DATABASE_URL !== undefined, {
    path: ['DATABASE_URL'],
    error: 'must be set together with NATS_URL: several processes need one database',
  })
  .refine(s => s.HTTPS === undefined || s.NATS_URL === undefined, {
    path: ['HTTPS'],
    error:
      'must not be set together with NATS_URL: let the load balancer of several nodes speak HTTPS',
  })
  .refine(s => s.HTTPS === undefined || !s.PUBLIC_URL || s.PUBLIC_URL.startsWith('https:'), {
    path: ['PUBLIC_URL'],
    error: 'must begin with https: if HTTPS is set',
  })
  .refine(s => s.HTTPS !== 'auto' || hasPublicName(s.PUBLIC_URL), {
    path: ['PUBLIC_URL'],
    error:
      'must have a name, such as https://pit.example.com, if HTTPS is auto: the certificate is for it',
  })
  .superRefine(requireWholeS3)
  .superRefine(requireOneSupport)

function toGoogle(s: z.output<typeof Settings>): Config['google'] {
  return s.GOOGLE_CLIENT_ID && s.GOOGLE_CLIENT_SECRET
    ? {
        clientId: s.GOOGLE_CLIENT_ID,
        clientSecret: s.GOOGLE_CLIENT_SECRET,
        issuer: s.GOOGLE_ISSUER,
      }
    : undefined
}

/** `name=host:port`. */
const presetIn = /^([^=]{1,80})=([\w.:-]{1,253}):(\d{1,5})$/

function toPreset(part: string): TimingPreset {
  const [, name = '', host = '', port] = presetIn.exec(part) ?? []
  return { name: name.trim(), host, port: Number(port) }
}

/** The environment variables that are read. */
export const settingNames = Object.keys(Settings.shape)

export interface Config {
  port: number
  host: string
  /** How the server speaks HTTPS itself; undefined leaves it to a reverse proxy. `port` is then not used. */
  https: 'auto' | 'paddock' | undefined
  httpPort: number
  httpsPort: number
  /** Directory of the authority that issues the certificate of HTTPS=auto. */
  acmeUrl: string
  /** How that authority finds out that the name is ours: on the two ports, or by a TXT record. */
  acmeChallenge: 'http' | 'dns'
  /**
   * Public URL of the app, without a trailing slash; undefined until the server listens on loopback.
   */
  publicUrl: string | undefined
  dataDir: string
  /** Folder of the hourly backups of the embedded database; undefined means none. */
  backupDir: string | undefined
  databaseUrl: string | undefined
  natsUrl: string | undefined
  /** Allows several processes to use one PostgreSQL database without NATS. */
  allowSharedDatabase: boolean
  smtpUrl: string | undefined
  /** True: without a mail server, mails are printed. False: they cannot be sent. */
  printsMails: boolean
  mailFrom: string
  google: { clientId: string; clientSecret: string; issuer: string } | undefined
  /** S3 store for files; undefined stores them in the data directory. */
  s3: S3 | undefined
  /** Settings of support; undefined means that it is not loaded. */
  support: SupportConfig | undefined
  /** IP addresses or ranges of the proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[]
  /** Retention of positions, in days. */
  historyDays: number
  /** Rate limit of positions per session, per second. */
  fixesPerSecond: number
  /**
   * Limit of one user's live connections per node: phones, tablets, tabs, and stale ones not yet timed out.
   */
  connectionsPerUser: number
  /** Sources of official timing that may have private addresses, as `host` or `host:port`. */
  timingHosts: string[]
  /** Servers of RMonitor that members may choose by name. */
  timingPresets: TimingPreset[]
  /** URLs of the APIs of providers of timing, without a slash at the end. */
  raceMonitorUrl: string
  raceHeroUrl: string
  /** Bearer token for `/metrics`; undefined disables that path. */
  metricsToken: string | undefined
  logLevel: string
  /** Sends notifications to browsers, through the push services of their vendors. */
  webPush: boolean
  /** Allows sign-in without an e-mail address. Such a login may only read. */
  anonymousAccounts: boolean
  /** Contact for reporting a vulnerability; undefined means no security.txt. */
  securityContact: string | undefined
  /** Maximum number of connections; undefined derives it from the limit of open files. */
  maxConnections: number | undefined
  /** Enables the pages under /dev: the mailbox, and sign-in without a code. */
  dev: boolean
  /** The pages under /dev are only for browsers that were opened with it. Random by default. */
  devToken: string
}

/** Thrown for wrong settings. The message names each one and its valid values. */
export class SettingsRefused extends Error {}

/** Reads the settings once. An empty variable counts as not set. Throws SettingsRefused. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map(issue => `${issue.path.join('.')} ${issue.message}`)
    throw new SettingsRefused(`Settings refused:\n  ${lines.join('\n  ')}`)
  }
  const s = parsed.data
  return {
    port: s.PORT,
    host: hostOf(s),
    https: s.HTTPS,
    // Ports from 1024 on need no rights, which nobody has to grant in a paddock.
    httpPort: s.HTTP_PORT ?? (s.HTTPS === 'auto' ? 80 : 3000),
    httpsPort: s.HTTPS_PORT ?? (s.HTTPS === 'auto' ? 443 : 3443),
    acmeUrl: s.ACME_URL,
    acmeChallenge: s.ACME_CHALLENGE,
    publicUrl: s.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: s.DATA_DIR,
    backupDir: s.BACKUP_DIR,
    databaseUrl: s.DATABASE_URL,
    natsUrl: s.NATS_URL,
    allowSharedDatabase: s.ALLOW_SHARED_DATABASE,
    smtpUrl: s.SMTP_URL,
    printsMails: s.HTTPS !== 'auto' || s.ALLOW_MAIL_TO_TERMINAL,
    mailFrom: s.MAIL_FROM,
    google: toGoogle(s),
    s3: toS3(s),
    support: toSupport(s),
    trustProxy: s.TRUST_PROXY,
    historyDays: s.HISTORY_DAYS,
    fixesPerSecond: s.FIXES_PER_SECOND,
    connectionsPerUser: s.CONNECTIONS_PER_USER,
    timingHosts: s.TIMING_HOSTS,
    timingPresets: s.TIMING_PRESETS.map(toPreset),
    raceMonitorUrl: s.RACE_MONITOR_URL.replace(/\/+$/, ''),
    raceHeroUrl: s.RACEHERO_URL.replace(/\/+$/, ''),
    metricsToken: s.METRICS_TOKEN,
    // A terminal means a start by hand: only warnings matter there.
    logLevel: s.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'),
    webPush: s.WEB_PUSH,
    dev: s.DEV,
    devToken: s.DEV_TOKEN,
    securityContact: s.SECURITY_CONTACT,
    maxConnections: s.MAX_CONNECTIONS,
    anonymousAccounts: s.ANONYMOUS_ACCOUNTS,
  }
}

/** Checks that a URL is only an origin. Passes invalid URLs, which another check refuses. */
function isOriginOnly(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && search + hash + username + password === ''
}

/** True for HTTPS, and for URLs that never leave this machine. */
function isEncrypted(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined || !URL.canParse(publicUrl)) return true
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname)
}

/** True for a name that a public authority can certify. */
function hasPublicName(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined || !URL.canParse(publicUrl)) return false
  const { hostname } = new URL(publicUrl)
  return hostname.includes('.') && isIP(hostname) === 0
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
  return longest > 0 && isRange && rest.length === 0
}

/** True for names and addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
  )
}

/**
 * True if only this machine can reach the server: it neither listens on the network nor has a public
 * address, under which a proxy could expose it.
 */
export function isOnlyForThisMachine({ host, publicUrl }: Config): boolean {
  return isForThisMachineAlone(host, publicUrl)
}

/**
 * Returns true if the pages under /dev exist. They need an explicit setting: a server on a loopback address cannot
 * detect a proxy on the same machine that exposes it.
 */
export function hasDevPages(config: Config): boolean {
  return config.dev && isOnlyForThisMachine(config)
}

/** The address to listen on; with HTTPS by default the wildcard address, which includes IPv6 if this machine has it. */
function hostOf({
  HOST,
  HTTPS,
}: {
  HOST?: string | undefined
  HTTPS?: string | undefined
}): string {
  if (HOST !== undefined) return HOST
  if (HTTPS === undefined) return '127.0.0.1'
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return addresses.some(({ family }) => family === 'IPv6') ? '::' : '0.0.0.0'
}

function isForThisMachineAlone(host: string, publicUrl: string | undefined): boolean {
  if (!isLoopback(host)) return false
  if (publicUrl === undefined) return true
  return URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname)
}
