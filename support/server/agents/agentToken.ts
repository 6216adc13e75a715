import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { EpochMs, UserId } from '#contract/ids.ts'
import { VisitId } from '#support/contract/support.ts'

const AgentToken = z.object({
  agentId: UserId,
  visitId: VisitId,
  /** The agent's id in call signalling. */
  peerId: z.string(),
  expiresAt: EpochMs,
})
export type AgentToken = z.infer<typeof AgentToken>

/** Signs the token that opens an agent's sockets for one visit: `<base64url of JSON>.<HMAC>`. */
export function signAgentToken(key: Buffer, agentToken: AgentToken): string {
  const body = Buffer.from(JSON.stringify(agentToken)).toString('base64url')
  return `${body}.${macOf(key, body)}`
}

/** Verifies a token. Returns null if it was not signed here, or has expired. */
export function verifyAgentToken(key: Buffer, token: unknown, now: EpochMs): AgentToken | null {
  if (typeof token !== 'string' || token.length > 2000) return null
  const [body = '', mac = ''] = token.split('.')
  const [given, right] = [Buffer.from(mac), Buffer.from(macOf(key, body))]
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  const agentToken = AgentToken.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  return agentToken.expiresAt > now ? agentToken : null
}

function macOf(key: Buffer, body: string): string {
  return createHmac('sha256', key).update(`agent:${body}`).digest('base64url')
}
