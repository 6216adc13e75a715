import type { FastifyRequest } from 'fastify'
import type { UserId } from '#contract/ids.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { networkOf } from '../rateLimit/network.ts'

const windowMs = hourMs

/** As much as one team may store. */
export const kibPerPerson = 100 * 1024
/** Enough for a whole paddock behind one IP address. */
export const kibPerNetwork = 400 * 1024

interface Upload {
  userId: UserId
  ip: FastifyRequest['ip'] | undefined
  bytes: number
}

/**
 * Enforces the rate limits of uploads by the announced size, before the body is read, so that refused
 * uploads count too. Refuses with `too-many`.
 */
export function countUpload(
  { rateLimits, config }: Pick<AppContext, 'rateLimits' | 'config'>,
  { userId, ip, bytes }: Upload,
) {
  const cost = Math.ceil(bytes / 1024)
  rateLimits.enforce({ what: 'upload', key: userId, limit: kibPerPerson, windowMs, cost })
  // On a server only for this machine all requests come from one trusted IP address.
  if (isOnlyForThisMachine(config)) return
  const key = networkOf(ip, 48)
  rateLimits.enforce({ what: 'upload by network', key, limit: kibPerNetwork, windowMs, cost })
}
