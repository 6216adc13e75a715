import type { FastifyRequest } from 'fastify'
import { maxUploadsPerHour } from '#contract/fileRules.ts'
import type { UserId } from '#contract/ids.ts'
import { isOnlyForThisMachine } from '../config.ts'
import { stayWithin } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { networkLimits } from '../rateLimit/network.ts'

const windowMs = 60 * 60 * 1000

/** As much as one team may store. */
export const kibPerPerson = 100 * 1024
/** For a whole paddock behind one address. */
export const kibPerNetwork = 400 * 1024

interface Upload {
  userId: UserId
  ip: FastifyRequest['ip'] | undefined
  bytes: number
}

/**
 * Counts an upload by what it may hold, before any of it is read: what is refused later counts too. Refuses
 * with `too-many`.
 */
export async function countUpload(
  parts: Pick<Parts, 'db' | 'clock' | 'config'>,
  { userId, ip, bytes }: Upload,
) {
  const cost = Math.ceil(bytes / 1024)
  await stayWithin(parts, { what: 'upload', of: userId, limit: maxUploadsPerHour, windowMs })
  await stayWithin(parts, { what: 'upload-kib', of: userId, limit: kibPerPerson, windowMs, cost })
  // On a server for this machine alone everybody comes from one address, and it is no stranger's.
  if (isOnlyForThisMachine(parts.config)) return
  for (const { network, limit } of networkLimits(ip, kibPerNetwork)) {
    await stayWithin(parts, { what: 'upload-network', of: network, limit, windowMs, cost })
  }
}
