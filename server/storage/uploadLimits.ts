import type { FastifyRequest } from 'fastify'
import type { UserId } from '#contract/ids.ts'
import { maxUploadsPerHour } from '#contract/shared/fileRules.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { networkLimits } from '../rateLimit/network.ts'
import { enforceRateLimit } from '../rateLimit/sharedLimits.ts'

const windowMs = 60 * 60 * 1000

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
export async function countUpload(
  context: Pick<AppContext, 'db' | 'clock' | 'config'>,
  { userId, ip, bytes }: Upload,
) {
  const cost = Math.ceil(bytes / 1024)
  await enforceRateLimit(context, {
    what: 'upload',
    key: userId,
    limit: maxUploadsPerHour,
    windowMs,
  })
  await enforceRateLimit(context, {
    what: 'upload-kib',
    key: userId,
    limit: kibPerPerson,
    windowMs,
    cost,
  })
  // On a server only for this machine all requests come from one trusted IP address.
  if (isOnlyForThisMachine(context.config)) return
  for (const { network, limit } of networkLimits(ip, kibPerNetwork)) {
    await enforceRateLimit(context, { what: 'upload-network', key: network, limit, windowMs, cost })
  }
}
