import type { IncomingHttpHeaders } from 'node:http'
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
    NATS_URL: Url(/^(nats|tls)$/, 'nats://host:4222').optional(),
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
    METRICS_TOKEN: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/, 'must be at least 16 letters and digits')
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
  /** Who shows this may read `/metrics`; none means that there is no such address. */
  metricsToken: string | undefined
  logLevel: string
  /** Bound to this machine only: what is under /dev exists. */
  loopback: boolean
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
    metricsToken: s.METRICS_TOKEN,
    // Who starts it by hand reads the terminal: only what needs them.
    logLevel: s.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info'),
    loopback: isLoopback(s.HOST),
  }
}

/** Says nothing of what is no address at all: that is refused before. */
function isOriginOnly(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && search + hash + username + password === ''
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
 * would bring them. Only then may anything under /dev exist.
 */
export function isOnlyForThisMachine({ loopback, publicUrl }: Config): boolean {
  return loopback && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
}

/**
 * True if a request names this machine and came straight from it. What is under /dev answers only then:
 * a foreign name that resolves to 127.0.0.1 would let a foreign page read it, and so would a tunnel.
 */
export function isLocalRequest(headers: IncomingHttpHeaders): boolean {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'].some(
    name => name in headers,
  )
  return !forwarded && isLoopbackHost(headers.host)
}

/** True if a Host header names this machine, with or without a port. */
export function isLoopbackHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && isLoopback(hostHeader.toLowerCase().replace(/:\d{1,5}$/, ''))
}
