import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { mailboxOf } from '../rateLimit/mailboxOf.ts'
import { networkLimits } from '../rateLimit/network.ts'
import { enforceRateLimit, type Limit, revertCount } from '../rateLimit/sharedLimits.ts'

/*
 * Rate limits of sign-in by code. They keep inboxes from being flooded and codes from being guessed, and
 * keep strangers from exhausting the limits that the owner of an e-mail address needs:
 *
 * - A browser in which the owner has signed in before (`knownBrowserOf`) has separate limits, which requests
 *   of others do not touch.
 * - Any other browser is limited by e-mail address and network, so that one network cannot exhaust an address; then
 *   by network, so that a network cannot send mail to many addresses; then by address, so that many networks
 *   cannot flood one inbox. A network, however wide, gets at most half of an address's total. Codes that
 *   were entered correctly are not counted: a whole paddock may sign in at once. Addresses that differ in a `+tag`
 *   count as one, because they fill one inbox.
 * - Tries are counted only if they are compared with a code of that browser.
 *
 * Without a known browser, at most `strangerTriesPerDay` tries a day are compared with the codes of an
 * e-mail address, each right with a chance of 1 in 10^6: 1 in 10,000 a day, and the owner gets a mail per five
 * tries. In a known browser, such as a shared computer, the limit is five times `knownCodesPerDay`, also
 * 1 in 10,000.
 */

const quarterMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

/** Limits per e-mail address and network. */
export const codesPerQuarter = 5
export const codesPerDay = 10
const triesPerDay = 30

/** Limits per e-mail address, over all networks; known browsers are not counted. */
export const strangerCodesPerQuarter = 20
export const strangerCodesPerDay = 60
export const strangerTriesPerDay = 100

/** Limits per e-mail address and known browser. */
export const knownCodesPerQuarter = 10
export const knownCodesPerDay = 20

/**
 * Limits per network in 15 minutes, not counting codes that led to a sign-in. A whole paddock may share one IP address.
 */
export const codesPerNetwork = 120
export const triesPerNetwork = 240
const anonymousPerNetwork = 60

/** New accounts per network, in 15 minutes and in a day: all crews of a paddock may sign up there. */
export const accountsPerNetwork = 120
const accountsPerNetworkAndDay = 600

/** New accounts of one mailbox in a day, with a different `+tag` each. */
export const accountsPerMailbox = 10

/** The sender of a request to mail or verify a code. */
export interface CodeRequest {
  email: string
  /** The client's IP address (`request.ip`), from X-Forwarded-For behind a trusted proxy. */
  ip: string
  /** From `knownBrowserOf`. */
  knownBrowser: string | null
}

/** Counts a code before it is mailed. Refuses with `too-many`. */
export async function countCode(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of codeLimits(context, codeRequest)) await enforceRateLimit(context, limit)
}

/** Reverts `countCode`, for a code that could not be mailed or led to a sign-in. */
export async function uncountCode(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of codeLimits(context, codeRequest)) await revertCount(context.db, limit)
}

/** Counts a try before it is compared with a code. Refuses with `too-many`. */
export async function countTry(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of tryLimits(context, codeRequest)) await enforceRateLimit(context, limit)
}

/** Reverts `countTry`, for a code that was right. */
export async function uncountTry(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of tryLimits(context, codeRequest)) await revertCount(context.db, limit)
}

/** Counts an anonymous user before it is created. Refuses with `too-many`. */
export async function countAnonymous(context: AppContext, { ip }: { ip: string }) {
  for (const limit of perNetwork(context, {
    what: 'anonymous',
    ip,
    limit: anonymousPerNetwork,
    windowMs: quarterMs,
  }))
    await enforceRateLimit(context, limit)
}

/** Counts a user before it is created. Refuses with `too-many`. */
export async function countAccount(
  context: Pick<AppContext, 'db' | 'clock' | 'config'>,
  { email, ip }: { email: string; ip: string },
) {
  const what = 'accounts'
  const limits = [
    { what, key: mailboxOf(email), limit: accountsPerMailbox, windowMs: dayMs },
    ...perNetwork(context, { what, ip, limit: accountsPerNetwork, windowMs: quarterMs }),
    ...perNetwork(context, { what, ip, limit: accountsPerNetworkAndDay, windowMs: dayMs }),
  ]
  for (const limit of limits) await enforceRateLimit(context, limit)
}

/** Returns the limits, narrowest first: a request refused by one is not counted by the wider ones. */
function codeLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) {
    const key = `${knownBrowser} ${email}`
    return [
      { what: 'codes-known', key, limit: knownCodesPerQuarter, windowMs: quarterMs },
      { what: 'codes-known', key, limit: knownCodesPerDay, windowMs: dayMs },
    ]
  }
  const key = mailboxOf(email)
  const quarter = { what: 'codes', key, limit: strangerCodesPerQuarter, windowMs: quarterMs }
  const day = { what: 'codes', key, limit: strangerCodesPerDay, windowMs: dayMs }
  return [
    ...perAddressAndNetwork(quarter, { ip, limit: codesPerQuarter }),
    ...perAddressAndNetwork(day, { ip, limit: codesPerDay }),
    ...perNetwork(context, { what: 'codes', ip, limit: codesPerNetwork, windowMs: quarterMs }),
    quarter,
    day,
  ]
}

/** Returns the limits of tries. In a known browser the limit of codes suffices: five tries each. */
function tryLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) return []
  const key = mailboxOf(email)
  const day = { what: 'tries', key, limit: strangerTriesPerDay, windowMs: dayMs }
  return [
    ...perAddressAndNetwork(day, { ip, limit: triesPerDay }),
    ...perNetwork(context, { what: 'tries', ip, limit: triesPerNetwork, windowMs: quarterMs }),
    day,
  ]
}

/** Returns the share of an e-mail address's limit that each network of `ip` may use: at most half. */
function perAddressAndNetwork(
  { what, key, limit: total, windowMs }: Limit,
  { ip, limit }: { ip: string; limit: number },
): Limit[] {
  return networkLimits(ip, limit).map(each => ({
    what: `${what}-from`,
    key: `${each.network} ${key}`,
    limit: Math.min(each.limit, Math.floor(total / 2)),
    windowMs,
  }))
}

/** Returns the limits per network; none on a server only for this machine, where everybody has one IP address. */
function perNetwork(
  { config }: Pick<AppContext, 'config'>,
  { what, ip, limit, windowMs }: { what: string; ip: string; limit: number; windowMs: number },
): Limit[] {
  if (isOnlyForThisMachine(config)) return []
  return networkLimits(ip, limit).map(each => ({
    what: `${what}-network`,
    key: each.network,
    limit: each.limit,
    windowMs,
  }))
}
