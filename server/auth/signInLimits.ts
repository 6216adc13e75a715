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
 * Without a known browser, at most `tries.address.day` tries a day are compared with the codes of an
 * e-mail address, each right with a chance of 1 in 10^6: 1 in 10,000 a day, and the owner gets a mail per five
 * tries. In a known browser, such as a shared computer, the limit is five tries of each of a day's codes,
 * also 1 in 10,000.
 */

const quarterMs = 15 * 60 * 1000

/** Maximum counts in 15 minutes (`quarter`) and in a day (`day`), by limited action and by key. */
export const signInLimits = {
  /** Codes that are mailed. Those of a network that led to a sign-in do not count: a paddock may share an IP address. */
  codes: {
    addressAndNetwork: { quarter: 5, day: 10 },
    network: { quarter: 120 },
    address: { quarter: 20, day: 60 },
    knownBrowserAndAddress: { quarter: 10, day: 20 },
  },
  /** Codes that are entered in other than known browsers. */
  tries: {
    addressAndNetwork: { day: 30 },
    network: { quarter: 240 },
    address: { day: 100 },
  },
  /** New accounts. All crews of a paddock may share one network. A mailbox has addresses with different `+tag`s. */
  accounts: {
    mailbox: { day: 10 },
    network: { quarter: 120, day: 600 },
  },
  /** Accounts without an address. */
  anonymous: {
    network: { quarter: 60 },
  },
} as const

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
  const limits = perNetwork(context, ip, 'anonymous', signInLimits.anonymous.network)
  for (const limit of limits) await enforceSharedLimit(context, limit)
}

/** Counts a user before it is created. Refuses with `too-many`. */
export async function countAccount(
  context: Pick<AppContext, 'db' | 'clock' | 'config'>,
  { email, ip }: { email: string; ip: string },
) {
  const what = 'accounts'
  const { mailbox, network } = signInLimits.accounts
  const limits = [
    ...limitsOf(what, mailboxOf(email), mailbox),
    ...perNetwork(context, ip, what, network),
  ]
  for (const limit of limits) await enforceSharedLimit(context, limit)
}

/** Returns the limits, narrowest first: a request refused by one is not counted by the wider ones. */
function codeLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  const { addressAndNetwork, network, address, knownBrowserAndAddress } = signInLimits.codes
  if (knownBrowser !== null)
    return limitsOf('codes-known', `${knownBrowser} ${email}`, knownBrowserAndAddress)
  const key = mailboxOf(email)
  return [
    ...limitsOf('codes-from', `${networkOf(ip, 48)} ${key}`, addressAndNetwork),
    ...perNetwork(context, ip, 'codes', network),
    ...limitsOf('codes', key, address),
  ]
}

/** Returns the limits of tries. In a known browser the limit of codes suffices: five tries each. */
function tryLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) return []
  const { addressAndNetwork, network, address } = signInLimits.tries
  const key = mailboxOf(email)
  return [
    ...limitsOf('tries-from', `${networkOf(ip, 48)} ${key}`, addressAndNetwork),
    ...perNetwork(context, ip, 'tries', network),
    ...limitsOf('tries', key, address),
  ]
}

/** Returns the limits of a network; none on a server only for this machine, where everybody has one IP address. */
function perNetwork(
  { config }: Pick<AppContext, 'config'>,
  ip: string,
  what: string,
  counts: Counts,
): Limit[] {
  if (isOnlyForThisMachine(config)) return []
  return limitsOf(`${what}-network`, networkOf(ip, 48), counts)
}

interface Counts {
  readonly quarter?: number
  readonly day?: number
}

function limitsOf(what: string, key: string, { quarter, day }: Counts): Limit[] {
  const limits: Limit[] = []
  if (quarter !== undefined) limits.push({ what, key, limit: quarter, windowMs: quarterMs })
  if (day !== undefined) limits.push({ what, key, limit: day, windowMs: dayMs })
  return limits
}
