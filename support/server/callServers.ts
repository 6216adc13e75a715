import { createHmac } from 'node:crypto'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { IceServer } from '#support/contract/support.ts'
import { isTurn, type SupportConfig } from './settings.ts'

/** A call outlives the credential it started with, so a longer lifetime would only help abuse. */
const credentialLifeMs = 10 * 60_000

/**
 * STUN and TURN servers for one call. With a shared secret each TURN server gets a user and password for
 * ten minutes, by the convention of TURN servers with shared secrets (coturn's `use-auth-secret`): the user
 * is `<expiry in seconds>:<user id>`, the password the Base64 of its HMAC-SHA1.
 */
export function callServers(
  { iceServers, turnSecret }: Pick<SupportConfig, 'iceServers' | 'turnSecret'>,
  { userId, now }: { userId: UserId; now: EpochMs },
): IceServer[] {
  if (turnSecret === undefined) return iceServers
  const username = `${Math.floor((now + credentialLifeMs) / 1000)}:${userId}`
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64')
  return iceServers.map(server => (isTurn(server) ? { ...server, username, credential } : server))
}
