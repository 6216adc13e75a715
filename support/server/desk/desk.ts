import type { UserId } from '#contract/ids.ts'
import { TokenBucket } from '#server/rateLimit/tokenBucket.ts'
import type { SupportEvent, VisitId, Visitor } from '#support/contract/support.ts'
import { agentName } from '../agents/agents.ts'
import type { Audit } from '../agents/audit.ts'
import { callerOf } from './caller.ts'
import {
  Consent,
  type ConsentKind,
  type ConsentRequest,
  endOf,
  newConsentRequest,
  type UnansweredReason,
} from './consent.ts'
import type { AgentConnection, Call, Tab, TabConnection, Visit } from './visit.ts'

/** Limits of tabs per browser, and of agents per visitor. */
const maxTabs = 20
const maxAgents = 4

/** Rate limit of audit entries: people request and respond by hand. */
const auditRate = { capacity: 60, refillPerSecond: 1 }

interface Ended {
  what: ConsentKind | 'call'
  request: ConsentRequest
  /** The reason, if it was never granted. */
  unanswered: UnansweredReason
}

/**
 * State of the support desk: visits, tabs and agents. In memory only; independent of sockets, HTTP and the
 * database.
 */
export class Desk {
  readonly #visits = new Map<VisitId, Visit>()
  readonly #audit: Audit

  constructor(audit: Audit) {
    this.#audit = audit
  }

  /** Registers a tab. Call the result when it disconnects; null if the limit is reached. */
  joinTab(connection: TabConnection, active: boolean): (() => void) | null {
    const visit = this.#visits.get(connection.visitId) ?? this.#open(connection)
    const before = visit.tabs.get(connection.tabId)
    if (!before && visit.tabs.size >= maxTabs) return null
    if (before) this.#leaveTab(visit, before)
    before?.connection.close()
    const tab: Tab = { connection, active, calling: [], calls: new Map() }
    visit.tabs.set(connection.tabId, tab)
    this.#visits.set(visit.id, visit)
    if (visit.agents.size > 0) connection.send('AGENTS_CONNECTED', [...visit.agents.keys()])
    // The last agent may have left while the tab was disconnected.
    else connection.send('NO_AGENT')
    for (const agent of visit.agents.values()) sendAgentName(tab, agent)
    toAgents(visit, 'SESSION_RECONNECTED', connection.tabId)
    return () => {
      if (visit.tabs.get(connection.tabId) === tab) this.#leaveTab(visit, tab)
    }
  }

  /**
   * Registers an agent at an open visit. Call the result when the agent disconnects; null if the visit is
   * gone or full.
   */
  joinAgent(connection: AgentConnection): (() => void) | null {
    const visit = this.#visits.get(connection.visitId)
    if (!visit || visit.agents.size >= maxAgents) return null
    visit.agents.set(connection.id, connection)
    const { id, email } = connection.agent
    const name = agentName(connection.agent)
    toTabs(visit, 'NEW_AGENT', connection.id, {
      id,
      name,
      email,
      peerId: connection.peerId,
      query: '',
    })
    for (const tab of visit.tabs.values()) sendAgentName(tab, connection)
    this.record(visit, connection, 'agent-came')
    return () => this.#leaveAgent(visit, connection)
  }

  /** Returns an open visit. */
  visit(visitId: VisitId): Visit | undefined {
    return this.#visits.get(visitId)
  }

  /** Returns the agent with this peer id. */
  agentAt(peerId: string): AgentConnection | undefined {
    for (const { agents } of this.#visits.values()) {
      for (const connection of agents.values()) if (connection.peerId === peerId) return connection
    }
    return undefined
  }

  /** Whether this person is an agent connected to a visitor, or has a tab with a ringing or active call. */
  mayCall(userId: UserId): boolean {
    return [...this.#visits.values()].some(visit => {
      if ([...visit.agents.values()].some(({ agent }) => agent.id === userId)) return true
      if (visit.person.id !== userId) return false
      return [...visit.tabs.values()].some(tab => callerOf(visit, tab) !== null)
    })
  }

  /** Lists all visits with an open tab, newest first. */
  visitors(): Visitor[] {
    const open = [...this.#visits.values()].filter(({ tabs }) => tabs.size > 0)
    return open
      .sort((a, b) => b.since - a.since)
      .map(({ id, person, since, tabs, agents }) => ({
        visitId: id,
        person,
        since,
        tabs: [...tabs.values()].map(({ connection, active, calling }) => ({
          tabId: connection.tabId,
          active,
          inCall: calling.length > 0,
        })),
        agents: [...agents.values()].map(({ agent }) => agentName(agent)),
      }))
  }

  /**
   * Starts an agent's call to a tab. Returns false if one of them is not connected, or if another agent's call
   * is ringing or active, of which the agent is notified.
   */
  ring(call: Call): boolean {
    const { visit, tab, agent } = this.#participantsOf(call)
    if (!visit || !tab || !agent) return false
    if ((callerOf(visit, tab) ?? agent) !== agent) {
      agent.send('call_busy', { meta: { tabId: call.tabId }, data: agent.id })
      return false
    }
    this.endCalls(visit, tab, 'withdrawn', agent.id)
    tab.calls.set(agent.id, newConsentRequest(agent.id))
    this.record(visit, agent, 'call-asked')
    return true
  }

  /** Records that the tab answered the call. */
  answer(call: Call) {
    const { visit, tab, agent } = this.#participantsOf(call)
    const request = agent && tab?.calls.get(agent.id)
    if (!visit || !request || request.granted) return
    request.granted = true
    this.record(visit, agent, 'call-answered')
  }

  /** Ends all calls to a tab, or only the call of one agent. */
  endCalls(visit: Visit, tab: Tab, unanswered: UnansweredReason, agentId?: string) {
    for (const [agent, request] of tab.calls) {
      if (agentId !== undefined && agent !== agentId) continue
      tab.calls.delete(agent)
      this.recordEnd(visit, { what: 'call', request, unanswered })
    }
  }

  /** Audits how an agent's request ended. */
  recordEnd(visit: Visit, { what, request, unanswered }: Ended) {
    const event = endOf(what, request, unanswered)
    request.recorded = true
    if (event) this.record(visit, visit.agents.get(request.agent), event)
  }

  /** Adds an audit entry. Above the rate limit all agents of the visit are disconnected. */
  record(visit: Visit, connection: AgentConnection | undefined, event: SupportEvent) {
    if (!visit.auditLimit.tryConsume(performance.now()))
      for (const agent of visit.agents.values()) agent.close()
    this.#audit.record({
      event,
      visitId: visit.id,
      visitorId: visit.person.id,
      agentId: connection?.agent.id ?? null,
    })
  }

  #open({ visitId, person }: TabConnection): Visit {
    const since = Date.now()
    return {
      id: visitId,
      person,
      since,
      tabs: new Map(),
      agents: new Map(),
      consents: new Map(),
      auditLimit: new TokenBucket(auditRate, performance.now()),
    }
  }

  #participantsOf({ visitId, tabId, peerId }: Call) {
    const visit = this.#visits.get(visitId)
    const agent = [...(visit?.agents.values() ?? [])].find(
      connection => connection.peerId === peerId,
    )
    return { visit, tab: visit?.tabs.get(tabId), agent }
  }

  #leaveTab(visit: Visit, tab: Tab) {
    const { tabId } = tab.connection
    visit.tabs.delete(tabId)
    const consent = visit.consents.get(tabId)
    for (const [what, request] of consent?.all ?? []) {
      this.recordEnd(visit, { what, request, unanswered: 'expired' })
    }
    this.endCalls(visit, tab, 'expired')
    consent?.suspend()
    if (consent?.holderOf('recording') === null) visit.consents.delete(tabId)
    toAgents(visit, 'SESSION_DISCONNECTED', tabId)
    this.#closeIfEmpty(visit)
  }

  #leaveAgent(visit: Visit, connection: AgentConnection) {
    // Audited before the agent is removed, while the requests still have an owner.
    for (const consent of visit.consents.values()) this.#endAll(visit, connection, consent)
    for (const tab of visit.tabs.values()) {
      this.endCalls(visit, tab, 'withdrawn', connection.id)
      tab.calling = tab.calling.filter(peerId => peerId !== connection.peerId)
    }
    visit.agents.delete(connection.id)
    this.record(visit, connection, 'agent-went')
    toTabs(visit, 'AGENT_DISCONNECTED', connection.id)
    if (visit.agents.size === 0) {
      visit.consents.clear()
      toTabs(visit, 'NO_AGENT')
    }
    this.#closeIfEmpty(visit)
  }

  #endAll(visit: Visit, connection: AgentConnection, consent: Consent) {
    for (const [what, request] of consent.all) {
      if (request.agent !== connection.id) continue
      this.recordEnd(visit, { what, request, unanswered: 'withdrawn' })
      consent.end(what)
    }
  }

  #closeIfEmpty(visit: Visit) {
    if (visit.tabs.size + visit.agents.size === 0) this.#visits.delete(visit.id)
  }
}

/** Returns the consent state of a tab, created on first use. */
export function consentOf(visit: Visit, tabId: string): Consent {
  const known = visit.consents.get(tabId)
  if (known) return known
  const made = new Consent()
  visit.consents.set(tabId, made)
  return made
}

/**
 * Sends an agent's name to a tab. It also prepares the tab for a call, and the page can label only an
 * element that already exists, so the name is sent repeatedly.
 */
export function sendAgentName({ connection }: Tab, agent: AgentConnection) {
  const { id, peerId } = agent
  connection.send('_agent_name', id, {
    meta: { tabId: connection.tabId },
    data: agentName(agent.agent),
    peerId,
  })
}

export function toAgents(visit: Visit, event: string, ...args: unknown[]) {
  for (const agent of visit.agents.values()) agent.send(event, ...args)
}

function toTabs(visit: Visit, event: string, ...args: unknown[]) {
  for (const { connection } of visit.tabs.values()) connection.send(event, ...args)
}
