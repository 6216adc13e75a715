import { isIP } from 'node:net'
import { z } from 'zod'
import { requireWholeS3, type S3, S3Settings, toS3 } from './storage/s3Settings.ts'
import {
  requireOneSupport,
  type SupportConfig,
  SupportSettings,
  toSupport,
} from './support/settings.ts'

const Url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` })

const flag = () =>
  z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .default('0')
    .transform(text => text === '1')

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const Settings = z
  .object({
    PORT: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
      .transform(Number)
      .refine(port => port <= 65535, 'must be a number from 0 to 65535')
      .default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
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
    TRUST_PROXY: z
      .string()
      .optional()
      .transform(text => text?.split(',').map(part => part.trim()) ?? [])
      .refine(
        parts => parts.every(isNetwork),
        'must be addresses or ranges such as 10.0.0.0/8, by commas',
      ),
    HISTORY_DAYS: z
      .string()
      .regex(/^[1-9]\d{0,4}$/, 'must be a number of days from 1 to 99999')
      .transform(Number)
      .default(400),
    FIXES_PER_SECOND: z
      .string()
      .regex(/^[1-9]\d{0,4}$/, 'must be a number from 1 to 99999')
      .transform(Number)
      .default(10),
    CONNECTIONS_PER_USER: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, 'must be a number from 1 to 9999')
      .transform(Number)
      .default(20),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'must be at least 16 letters and digits')
      .optional(),
    DEV: flag(),
    ANONYMOUS_ACCOUNTS: flag(),
    ALLOW_INSECURE_HTTP: flag(),
    ALLOW_MAIL_TO_TERMINAL: flag(),
    SECURITY_CONTACT: Url(
      /^(mailto|https)$/,
      'mailto:security@example.com or https://example.com/security',
    ).optional(),
    MAX_CONNECTIONS: z
      .string()
      .regex(/^[1-9]\d{0,6}$/, 'must be a number from 1 to 9999999')
      .transform(Number)
      .optional(),
    LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).optional(),
  })
  .refine(s => (s.GOOGLE_CLIENT_ID === undefined) === (s.GOOGLE_CLIENT_SECRET === undefined), {
    path: ['GOOGLE_CLIENT_SECRET'],
    error: 'must be set together with GOOGLE_CLIENT_ID',
  })
  .refine(s => s.PUBLIC_URL !== undefined || isLoopback(s.HOST), {
    path: ['PUBLIC_URL'],
    error: 'must be set when HOST is no loopback address: links in mails lead there',
  })
  .refine(s => !s.DEV || isForThisMachineAlone(s.HOST, s.PUBLIC_URL), {
    path: ['DEV'],
    error: 'must not be 1 where HOST or PUBLIC_URL bring others here: /dev shows everybody’s codes',
  })
  .refine(s => s.ALLOW_INSECURE_HTTP || isEncrypted(s.PUBLIC_URL), {
    path: ['PUBLIC_URL'],
    error:
      'must begin with https:, or logins travel readable for everybody on the way; ALLOW_INSECURE_HTTP=1 allows it',
  })
  .refine(
    s => s.SMTP_URL || s.ALLOW_MAIL_TO_TERMINAL || isForThisMachineAlone(s.HOST, s.PUBLIC_URL),
    {
      path: ['SMTP_URL'],
      error:
        'must be set when HOST or PUBLIC_URL bring others here, or everybody’s sign-in codes are printed in the terminal; ALLOW_MAIL_TO_TERMINAL=1 allows it',
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
  .superRefine(requireWholeS3)
  .superRefine(requireOneSupport)

/** The environment variables that are read. */
export const settingNames = Object.keys(Settings.shape)

export interface Config {
  port: number
  host: string
  /** Where people open the app, without a slash at its end; none until the server listens on loopback. */
  publicUrl: string | undefined
  dataDir: string
  /** Where the embedded database is copied to once an hour; none means never. */
  backupDir: string | undefined
  databaseUrl: string | undefined
  natsUrl: string | undefined
  /** Several processes may use one PostgreSQL database without NATS. */
  allowSharedDatabase: boolean
  smtpUrl: string | undefined
  mailFrom: string
  google: { clientId: string; clientSecret: string; issuer: string } | undefined
  /** Where files are kept; none means in the data directory. */
  s3: S3 | undefined
  /** How support reaches the people who use the app; none means that nothing of it is loaded. */
  support: SupportConfig | undefined
  /** Addresses (or ranges) of proxies whose X-Forwarded-For is believed. */
  trustProxy: string[]
  /** How long positions are kept, in days. */
  historyDays: number
  /** How many positions of one session are taken a second. */
  fixesPerSecond: number
  /** Live connections of one user to one node: phones, tablets, tabs, and some that have not noticed they died. */
  connectionsPerUser: number
  /** Who shows this may read `/metrics`; none means that there is no such address. */
  metricsToken: string | undefined
  logLevel: string
  /** Whether somebody may sign in without an address. Such a login may only read. */
  anonymousAccounts: boolean
  /** Where a vulnerability is reported; none means that there is no security.txt. */
  securityContact: string | undefined
  /** Most connections at once; none means as many as the process may have files open, less some. */
  maxConnections: number | undefined
  /** Whether what is under /dev exists: mails that stay here, and sign-in without a code. */
  dev: boolean
}

/** A setting is wrong. The message names each one and says what it must be. */
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
    host: s.HOST,
    publicUrl: s.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: s.DATA_DIR,
    backupDir: s.BACKUP_DIR,
    databaseUrl: s.DATABASE_URL,
    natsUrl: s.NATS_URL,
    allowSharedDatabase: s.ALLOW_SHARED_DATABASE,
    smtpUrl: s.SMTP_URL,
    mailFrom: s.MAIL_FROM,
    google:
      s.GOOGLE_CLIENT_ID && s.GOOGLE_CLIENT_SECRET
        ? {
            clientId: s.GOOGLE_CLIENT_ID,
            clientSecret: s.GOOGLE_CLIENT_SECRET,
            issuer: s.GOOGLE_ISSUER,
          }
        : undefined,
    s3: toS3(s),
    support: toSupport(s),
    trustProxy: s.TRUST_PROXY,
    historyDays: s.HISTORY_DAYS,
    fixesPerSecond: s.FIXES_PER_SECOND,
    connectionsPerUser: s.CONNECTIONS_PER_USER,
    metricsToken: s.METRICS_TOKEN,
    // Who starts it by hand reads the terminal: only what needs them.
    logLevel: s.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'),
    dev: s.DEV,
    securityContact: s.SECURITY_CONTACT,
    maxConnections: s.MAX_CONNECTIONS,
    anonymousAccounts: s.ANONYMOUS_ACCOUNTS,
  }
}

/** Says nothing of what is no address at all: that is refused before. */
function isOriginOnly(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && search + hash + username + password === ''
}

/** HTTPS, or nothing leaves this machine. */
function isEncrypted(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined || !URL.canParse(publicUrl)) return true
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname)
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
 * Nobody else comes here: not bound to the network, and not given a public address, under which a proxy
 * would bring them.
 */
export function isOnlyForThisMachine({ host, publicUrl }: Config): boolean {
  return isForThisMachineAlone(host, publicUrl)
}

/**
 * Whether what is under /dev exists. It has to be switched on: a server on a loopback address cannot know
 * of a proxy on the same machine that brings others here.
 */
export function hasDevPages(config: Config): boolean {
  return config.dev && isOnlyForThisMachine(config)
}

function isForThisMachineAlone(host: string, publicUrl: string | undefined): boolean {
  if (!isLoopback(host)) return false
  if (publicUrl === undefined) return true
  return URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname)
}
