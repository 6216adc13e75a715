import { unansweredMs } from '#contract/supportRules.ts'
import type { AgentLine, Tab, Visit } from './desk.ts'

/** The tab refuses by itself after 30 s: this much later nothing rings there any more. */
const graceMs = 5000

/** The agent whose call rings at a tab or is on. One at a time. */
export function callerOf(visit: Visit, { calling, calls }: Tab): AgentLine | null {
  const now = Date.now()
  for (const agent of visit.agents.values()) {
    const call = calls.get(agent.id)
    const isOn = call && (call.granted || now < call.askedAt + unansweredMs + graceMs)
    if (isOn || calling.includes(agent.peerId)) return agent
  }
  return null
}
