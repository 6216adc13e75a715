import { unansweredMs } from '#contract/supportRules.ts'
import type { AgentLine, Tab, Visit } from './desk.ts'

/** The tab refuses by itself after 30 s: this much later nothing rings there any more. */
const graceMs = 5000

/** Notes that an agent's call rings at a tab. False while another agent's rings there or is on. */
export function ringAt(visit: Visit, tab: Tab, agent: AgentLine): boolean {
  const caller = callerOf(visit, tab)
  if (caller && caller !== agent) return false
  tab.ringing = { peerId: agent.peerId, untilAt: Date.now() + unansweredMs + graceMs }
  return true
}

/** The agent whose call rings at a tab or is on. One at a time. */
export function callerOf(visit: Visit, { calling, ringing }: Tab): AgentLine | null {
  const rings = ringing && Date.now() < ringing.untilAt ? [ringing.peerId] : []
  const peers = [...calling, ...rings]
  return [...visit.agents.values()].find(({ peerId }) => peers.includes(peerId)) ?? null
}
