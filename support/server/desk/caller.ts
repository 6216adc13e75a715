import { unansweredMs } from '#support/contract/supportRules.ts'
import type { AgentConnection, Tab, Visit } from './visit.ts'

/** Grace period after the tab's own timeout of 30 s: by then it no longer rings. */
const graceMs = 5000

/** The agent whose call is ringing or active at a tab. There is at most one. */
export function callerOf(visit: Visit, { calling, calls }: Tab): AgentConnection | null {
  const now = Date.now()
  for (const agent of visit.agents.values()) {
    const call = calls.get(agent.id)
    const isOn = call && (call.granted || now < call.requestedAt + unansweredMs + graceMs)
    if (isOn || calling.includes(agent.peerId)) return agent
  }
  return null
}
