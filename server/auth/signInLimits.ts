import { dayMs } from '#contract/shared/durations.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { mailboxOf } from '../rateLimit/mailboxOf.ts'
import { networkOf } from '../rateLimit/network.ts'
import type { Limit } from '../rateLimit/rateLimits.ts'
import { enforceSharedLimit, revertCount } from '../rateLimit/sharedLimits.ts'

/*
 * Rate limits of sign-in by code. They keep inboxes from being flooded and codes from being guessed, and
 * keep strangers from exhausting the limits that the owner of an e-mail address needs:
 *
 * - A browser in which the owner has signed in before (`knownBrowserOf`) has separate limits, which requests
 *   of others do not touch.
 * - Any other browser is limited by e-mail address and network, so that one network cannot exhaust an address; then
 *   by network, so that a network cannot send mail to many addresses; then by address, so that many networks
 *   cannot flood one inbox. A network of IPv6 is a /48 here, the largest that a customer gets. Codes that were entered
 *   correctly are not counted: a whole paddock may sign in at once. Addresses that differ in a `+tag` count as one,
 *   because they fill one inbox.
 * - Tries are counted only if they are compared with a code of that browser.
 *
 * Without a known browser, at most `strangerTriesPerDay` tries a day are compared with the codes of an
 * e-mail address, each right with a chance of 1 in 10^6: 1 in 10,000 a day, and the owner gets a mail per five
 * tries. In a known browser, such as a shared computer, the limit is five times `knownCodesPerDay`, also
 * 1 in 10,000.
 */

const quarterMs = 15 * 60 * 1000

/** Limits per e-mail address and network. */
export const codesPerQuarter = 5
export const codesPerDay = 10
export const triesPerDay = 30

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
  for (const limit of codeLimits(context, codeRequest)) await enforceSharedLimit(context, limit)
}

/** Reverts `countCode`, for a code that could not be mailed or led to a sign-in. */
export async function uncountCode(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of codeLimits(context, codeRequest)) await revertCount(context.db, limit)
}

/** Counts a try before it is compared with a code. Refuses with `too-many`. */
export async function countTry(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of tryLimits(context, codeRequest)) await enforceSharedLimit(context, limit)
}

/** Reverts `countTry`, for a code that was right. */
export async function uncountTry(context: AppContext, codeRequest: CodeRequest) {
  for (const limit of tryLimits(context, codeRequest)) await revertCount(context.db, limit)
}

/** Counts an anonymous user before it is created. Refuses with `too-many`. */
export async function countAnonymous(context: AppContext, { ip }: { ip: string }) {
  const limit = { what: 'anonymous', limit: anonymousPerNetwork, windowMs: quarterMs }
  for (const each of perNetwork(context, ip, limit)) await enforceSharedLimit(context, each)
}

/** Counts a user before it is created. Refuses with `too-many`. */
export async function countAccount(
  context: Pick<AppContext, 'db' | 'clock' | 'config'>,
  { email, ip }: { email: string; ip: string },
) {
  const what = 'accounts'
  const limits = [
    { what, key: mailboxOf(email), limit: accountsPerMailbox, windowMs: dayMs },
    ...perNetwork(context, ip, { what, limit: accountsPerNetwork, windowMs: quarterMs }),
    ...perNetwork(context, ip, { what, limit: accountsPerNetworkAndDay, windowMs: dayMs }),
  ]
  for (const limit of limits) await enforceSharedLimit(context, limit)
}

/** Returns the limits, narrowest first: a request refused by one is not counted by the wider ones. */
function codeLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) {
    const known = { what: 'codes-known', key: `${knownBrowser} ${email}` }
    return [
      { ...known, limit: knownCodesPerQuarter, windowMs: quarterMs },
      { ...known, limit: knownCodesPerDay, windowMs: dayMs },
    ]
  }
  const what = 'codes'
  const key = mailboxOf(email)
  const here = { what: 'codes-from', key: `${networkOf(ip, 48)} ${key}` }
  return [
    { ...here, limit: codesPerQuarter, windowMs: quarterMs },
    { ...here, limit: codesPerDay, windowMs: dayMs },
    ...perNetwork(context, ip, { what, limit: codesPerNetwork, windowMs: quarterMs }),
    { what, key, limit: strangerCodesPerQuarter, windowMs: quarterMs },
    { what, key, limit: strangerCodesPerDay, windowMs: dayMs },
  ]
}

/** Returns the limits of tries. In a known browser the limit of codes suffices: five tries each. */
function tryLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) return []
  const what = 'tries'
  const key = mailboxOf(email)
  const here = { what: 'tries-from', key: `${networkOf(ip, 48)} ${key}` }
  return [
    { ...here, limit: triesPerDay, windowMs: dayMs },
    ...perNetwork(context, ip, { what, limit: triesPerNetwork, windowMs: quarterMs }),
    { what, key, limit: strangerTriesPerDay, windowMs: dayMs },
  ]
}

/** Returns the limit of a network; none on a server only for this machine, where everybody has one IP address. */
function perNetwork(
  { config }: Pick<AppContext, 'config'>,
  ip: string,
  { what, ...rate }: Omit<Limit, 'key'>,
): Limit[] {
  if (isOnlyForThisMachine(config)) return []
  return [{ ...rate, what: `${what}-network`, key: networkOf(ip, 48) }]
}
