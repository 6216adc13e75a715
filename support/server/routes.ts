import { createHmac, randomBytes } from 'node:crypto'
import type { EpochMs, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { supportsPasskeys } from '#server/auth/relyingParty.ts'
import type { AppContext, Caller } from '#server/context.ts'
import type { HandlersOf } from '#server/http/route.ts'
import type { IceServer, support } from '#support/contract/support.ts'
import { agentTokenLifeMs, builtinProjectKey } from '#support/contract/supportRules.ts'
import { agentById, requireAgent } from './agents/agents.ts'
import { signAgentToken } from './agents/agentToken.ts'
import { type Audit, readAudit } from './agents/audit.ts'
import { roomOf } from './agents/auth.ts'
import type { Desk } from './desk/desk.ts'
import { isTurn, type SupportConfig } from './settings.ts'
import { allTests, makeTest, testWithSignals } from './usabilityTests.ts'

/** The parts of the desk that HTTP calls need. */
interface Support {
  desk: Pick<Desk, 'visitors' | 'mayCall'>
  audit: Audit
  /** Key that signs visits and agents' tokens. */
  key: Buffer
}

export function supportCalls(
  context: AppContext,
  { desk, audit, key }: Support,
): HandlersOf<typeof support, Caller> {
  const { db } = context
  const config = context.config.support
  const needsPasskey = ({ withPasskey }: Caller) =>
    supportsPasskeys(context.publicUrl()) && !withPasskey
  async function agent({ caller }: { caller: Caller }) {
    const person = await requireAgent(db, config, caller.userId)
    if (needsPasskey(caller)) throw new Refusal('passkey-needed')
    return person
  }
  return {
    async settings({ caller }) {
      if (!config || caller.isAnonymous) throw new Refusal('not-found')
      const { external } = config
      const isAgent = (await agentById(db, config, caller.userId)) !== null
      return {
        ingestUrl: external?.ingestUrl ?? null,
        projectKey: external?.projectKey ?? builtinProjectKey,
        isAgent,
        ...(isAgent && needsPasskey(caller) && { passkeyNeeded: true as const }),
      }
    },

    async callServers({ caller: { userId, isAnonymous } }) {
      if (!config || isAnonymous) throw new Refusal('not-found')
      // Only the built-in desk knows about calls.
      if (!config.external && !desk.mayCall(userId)) throw new Refusal('not-found')
      return { iceServers: callServers(config, { userId, now: context.clock.now() }) }
    },

    async visitors(call) {
      await agent(call)
      return desk.visitors()
    },

    async join({ input: { visitId }, caller }) {
      const { id: agentId } = await agent({ caller })
      const visitor = desk.visitors().find(visit => visit.visitId === visitId)
      if (!visitor) throw new Refusal('not-found')
      const room = roomOf(visitId)
      const peerId = `${room}-agent${randomBytes(8).toString('hex')}`
      const expiresAt = Date.now() + agentTokenLifeMs
      const token = signAgentToken(key, { agentId, visitId, peerId, expiresAt })
      audit.record({ event: 'pass-given', visitId, visitorId: visitor.person.id, agentId })
      return { token, expiresAt, room, peerId }
    },

    async audit({ input, caller }) {
      await agent({ caller })
      await audit.flush()
      return readAudit(db, input)
    },

    async createTest({ input, caller }) {
      const { id: agentId } = await agent({ caller })
      const test = await makeTest(db, input, agentId)
      audit.record({ event: 'test-made', agentId })
      return test
    },

    async listTests(call) {
      await agent(call)
      return allTests(db)
    },

    async getTest({ input, caller }) {
      await agent({ caller })
      return testWithSignals(db, input.testId)
    },
  }
}

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
