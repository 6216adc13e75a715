import { randomBytes } from 'node:crypto'
import { Refusal } from '#contract/refusal.ts'
import type { support } from '#contract/support.ts'
import { agentTokenLifeMs, builtinProjectKey } from '#contract/supportRules.ts'
import type { HandlersOf } from '../http/route.ts'
import { stayWithin } from '../limits.ts'
import type { Caller, Parts } from '../parts.ts'
import { agentById, requireAgent } from './agents.ts'
import { signPass } from './agentToken.ts'
import { readAudit } from './audit.ts'
import { roomOf } from './entry.ts'
import type { Support } from './support.ts'
import { allTests, makeTest, testWithSignals } from './usabilityTests.ts'

const hourMs = 60 * 60 * 1000

export function supportCalls(parts: Parts, desk: Support): HandlersOf<typeof support, Caller> {
  const { db } = parts
  const config = parts.config.support
  const agent = ({ caller }: { caller: Caller }) => requireAgent(db, config, caller.userId)
  return {
    async settings({ caller }) {
      if (!config || caller.isAnonymous) throw new Refusal('not-found')
      const { external, iceServers } = config
      return {
        ingestUrl: external?.ingestUrl ?? null,
        projectKey: external?.projectKey ?? builtinProjectKey,
        iceServers,
        isAgent: (await agentById(db, config, caller.userId)) !== null,
      }
    },

    async visitors(call) {
      await agent(call)
      return desk.visitors()
    },

    async join({ input: { visitId }, caller }) {
      const { id: agentId } = await agent({ caller })
      await stayWithin(db, { what: 'support-join', of: agentId, limit: 300, windowMs: hourMs })
      const visitor = desk.visitors().find(visit => visit.visitId === visitId)
      if (!visitor) throw new Refusal('not-found')
      const room = roomOf(visitId)
      const peerId = `${room}-agent${randomBytes(8).toString('hex')}`
      const expiresAt = Date.now() + agentTokenLifeMs
      const token = signPass(desk.key, { agentId, visitId, peerId, expiresAt })
      desk.audit.note({ event: 'pass-given', visitId, visitorId: visitor.person.id, agentId })
      return { token, expiresAt, room, peerId, iceServers: config?.iceServers ?? [] }
    },

    async audit({ input, caller }) {
      await agent({ caller })
      await desk.audit.flush()
      return readAudit(db, input)
    },

    async createTest({ input, caller }) {
      const { id: agentId } = await agent({ caller })
      await stayWithin(db, { what: 'support-test', of: agentId, limit: 60, windowMs: hourMs })
      const test = await makeTest(db, input, agentId)
      desk.audit.note({ event: 'test-made', agentId })
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
