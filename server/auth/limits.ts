import { isIPv4, isIPv6 } from 'node:net'
import { type Kysely, sql } from 'kysely'
import { isOnlyForThisMachine } from '../config.ts'
import type { Tables } from '../db/tables.ts'
import { counterName, stayWithin } from '../limits.ts'
import type { Parts } from '../parts.ts'

const quarterMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

/** Per address, so that nobody's inbox is flooded and nobody's code is guessed. */
export const codesPerQuarter = 5
export const codesPerDay = 100
export const triesPerQuarter = 20
export const triesPerDay = 100

/** Per network. Generous: a whole paddock sits behind one address. */
export const codesPerNetwork = 60
export const triesPerNetwork = 120
export const anonymousPerNetwork = 60

interface From {
  /** As Fastify knows it: behind a trusted proxy, what the proxy says. */
  ip: string
}

/** Counts a code that is about to be mailed. Refuses with `too-many`. */
export async function countCode(parts: Parts, { email, ip }: From & { email: string }) {
  await countNetwork(parts, 'codes', ip, codesPerNetwork)
  await stayWithin(parts.db, {
    what: 'codes',
    of: email,
    limit: codesPerQuarter,
    windowMs: quarterMs,
  })
  await stayWithin(parts.db, { what: 'codes', of: email, limit: codesPerDay, windowMs: dayMs })
}

/** A code that could not be mailed does not count against its address. */
export async function uncountCode({ db }: Parts, email: string) {
  await uncount(db, 'codes', email)
}

/** Counts a code that is about to be entered. Refuses with `too-many`. */
export async function countTry(parts: Parts, { email, ip }: From & { email: string }) {
  await countNetwork(parts, 'tries', ip, triesPerNetwork)
  await stayWithin(parts.db, {
    what: 'tries',
    of: email,
    limit: triesPerQuarter,
    windowMs: quarterMs,
  })
  await stayWithin(parts.db, { what: 'tries', of: email, limit: triesPerDay, windowMs: dayMs })
}

/** Counts an anonymous user that is about to be made. Refuses with `too-many`. */
export async function countAnonymous(parts: Parts, { ip }: From) {
  await countNetwork(parts, 'anonymous', ip, anonymousPerNetwork)
}

/** On a server for this machine alone everybody comes from one address, and it is no stranger's. */
async function countNetwork({ db, config }: Parts, what: string, ip: string, limit: number) {
  if (isOnlyForThisMachine(config)) return
  await stayWithin(db, { what: `${what}-network`, of: networkOf(ip), limit, windowMs: quarterMs })
}

/** Takes one from the running window of every limit on this. */
async function uncount(db: Kysely<Tables>, what: string, of: string) {
  const name = await counterName(db, what, of)
  await sql`
    update rate_counts counted set count = count - 1
    where starts_with(what, ${`${name} `}::text)
      and count > 0
      and window_start = (select max(window_start) from rate_counts where what = counted.what)
  `.execute(db)
}

/** One IPv4 address, or the /64 that a household or a phone has of IPv6. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (isIPv4(ip) || !isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = tail === undefined ? before : [...before, ...zeros, ...after]
  return `${groups
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
