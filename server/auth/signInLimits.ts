import { type Kysely, sql } from 'kysely'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/tables.ts'
import { networkLimits } from '../rateLimit/network.ts'
import { counterName, enforceRateLimit, type Limit } from '../rateLimit/sharedLimits.ts'

/*
 * Sign-in by code is limited so that no inbox is flooded and no code is guessed, and so that strangers
 * cannot use up what the owner of an address needs:
 *
 * - A browser in which the owner has signed in before (`knownBrowserOf`) has limits of its own. Nothing that
 *   others do counts against it.
 * - Any other browser counts by address and network, so one network cannot use up an address; then by
 *   network, so a network cannot mail the world; then by address, so many networks cannot flood one inbox.
 *   No network, however wide, gets more than half of what an address gets from all of them. A code that
 *   was entered correctly counts for nothing: a paddock of people who sign in is no flood.
 * - Tries count only where they are compared with a code of that browser.
 *
 * A guesser without a known browser compares at most `strangerTriesPerDay` codes of an address a day, each
 * one of 10^6: a chance of 1 in 10,000 a day, for which the owner gets a mail per five tries. In a known
 * browser, such as a shared computer, it is `knownCodesPerDay` times five: 1 in 10,000 as well.
 */

const quarterMs = 15 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

/** To one address from one network. */
export const codesPerQuarter = 5
const codesPerDay = 10
const triesPerDay = 30

/** To one address from all networks together, known browsers not counted. */
export const strangerCodesPerQuarter = 20
const strangerCodesPerDay = 60
export const strangerTriesPerDay = 100

/** To one address from one known browser. */
export const knownCodesPerQuarter = 10
const knownCodesPerDay = 20

/** From one network, without those that led to a sign-in. A whole paddock sits behind one address. */
export const codesPerNetwork = 120
export const triesPerNetwork = 240
const anonymousPerNetwork = 60

/** New accounts from one network, in 15 minutes and in a day: the crews of a whole paddock sign up there. */
export const accountsPerNetwork = 120
const accountsPerNetworkAndDay = 600

/** Who asks for a code of an address, or enters one. */
export interface CodeRequest {
  email: string
  /** As Fastify knows it: behind a trusted proxy, what the proxy says. */
  ip: string
  /** From `knownBrowserOf`. */
  knownBrowser: string | null
}

/** Counts a code that is about to be mailed. Refuses with `too-many`. */
export async function countCode(context: AppContext, asking: CodeRequest) {
  for (const limit of codeLimits(context, asking)) await enforceRateLimit(context, limit)
}

/** A code that could not be mailed, or led to a sign-in, does not count. */
export async function uncountCode(context: AppContext, asking: CodeRequest) {
  for (const limit of codeLimits(context, asking)) await uncount(context.db, limit)
}

/** Counts a try that is about to be compared with a code. Refuses with `too-many`. */
export async function countGuess(context: AppContext, asking: CodeRequest) {
  for (const limit of guessLimits(context, asking)) await enforceRateLimit(context, limit)
}

/** The code was right: its try does not count. */
export async function uncountGuess(context: AppContext, asking: CodeRequest) {
  for (const limit of guessLimits(context, asking)) await uncount(context.db, limit)
}

/** Counts an anonymous user that is about to be made. Refuses with `too-many`. */
export async function countAnonymous(context: AppContext, { ip }: { ip: string }) {
  for (const limit of perNetwork(context, { what: 'anonymous', ip, limit: anonymousPerNetwork }))
    await enforceRateLimit(context, limit)
}

/** Counts a user that is about to be created. Refuses with `too-many`. */
export async function countAccount(
  context: Pick<AppContext, 'db' | 'clock' | 'config'>,
  { ip }: { ip: string },
) {
  const what = 'accounts'
  const limits = [
    ...perNetwork(context, { what, ip, limit: accountsPerNetwork }),
    ...perNetwork(context, { what, ip, limit: accountsPerNetworkAndDay, windowMs: dayMs }),
  ]
  for (const limit of limits) await enforceRateLimit(context, limit)
}

/** Narrowest first: what is refused by one is not counted by the next. */
function codeLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) {
    const of = `${knownBrowser} ${email}`
    return [
      { what: 'codes-known', of, limit: knownCodesPerQuarter, windowMs: quarterMs },
      { what: 'codes-known', of, limit: knownCodesPerDay, windowMs: dayMs },
    ]
  }
  const quarter = { what: 'codes', of: email, limit: strangerCodesPerQuarter, windowMs: quarterMs }
  const day = { what: 'codes', of: email, limit: strangerCodesPerDay, windowMs: dayMs }
  return [
    ...perAddressAndNetwork(quarter, { ip, limit: codesPerQuarter }),
    ...perAddressAndNetwork(day, { ip, limit: codesPerDay }),
    ...perNetwork(context, { what: 'codes', ip, limit: codesPerNetwork }),
    quarter,
    day,
  ]
}

/** In a known browser the limit on codes bounds them: five tries each. */
function guessLimits(context: AppContext, { email, ip, knownBrowser }: CodeRequest): Limit[] {
  if (knownBrowser !== null) return []
  const day = { what: 'tries', of: email, limit: strangerTriesPerDay, windowMs: dayMs }
  return [
    ...perAddressAndNetwork(day, { ip, limit: triesPerDay }),
    ...perNetwork(context, { what: 'tries', ip, limit: triesPerNetwork }),
    day,
  ]
}

/** The part of a limit on an address that each network of `ip` may use: half of it at most. */
function perAddressAndNetwork(
  { what, of: email, limit: total, windowMs }: Limit,
  { ip, limit }: { ip: string; limit: number },
): Limit[] {
  return networkLimits(ip, limit).map(each => ({
    what: `${what}-from`,
    of: `${each.network} ${email}`,
    limit: Math.min(each.limit, Math.floor(total / 2)),
    windowMs,
  }))
}

/** On a server for this machine alone everybody comes from one address, and it is no stranger's. */
function perNetwork(
  { config }: Pick<AppContext, 'config'>,
  {
    what,
    ip,
    limit,
    windowMs = quarterMs,
  }: { what: string; ip: string; limit: number; windowMs?: number },
): Limit[] {
  if (isOnlyForThisMachine(config)) return []
  return networkLimits(ip, limit).map(each => ({
    what: `${what}-network`,
    of: each.network,
    limit: each.limit,
    windowMs,
  }))
}

/** Takes one from the running window of a limit. */
async function uncount(db: Kysely<Tables>, { what, of, windowMs }: Limit) {
  const name = `${await counterName(db, what, of)} per ${windowMs} ms`
  await sql`
    update rate_counts set count = count - 1
    where what = ${name}
      and count > 0
      and window_start = (select max(window_start) from rate_counts where what = ${name})
  `.execute(db)
}
