import type { EpochMs, UserId } from '#contract/ids.ts'
import type { SupportEvent, VisitId, Visitor } from '#contract/support.ts'
import type { Person } from '#contract/users.ts'
import { agentName } from './agents.ts'
import type { Audit } from './audit.ts'
import { callerOf } from './caller.ts'
import { type Asked, type Asking, Consent, endOf, newAsking, type Unanswered } from './consent.ts'
import { Flood } from './flood.ts'

/** Limits of tabs per browser, and of agents per visitor. */
const maxTabs = 20
const maxAgents = 4

/** Rate limit of audit entries: people request and respond by hand. */
const notes = { burst: 60, perSecond: 1 }

interface AssistLine {
  send(event: string, ...args: unknown[]): void
  close(): void
}

/** Connection of one tab of a visitor. */
export interface TabLine extends AssistLine {
  readonly visitId: VisitId
  readonly tabId: string
  readonly person: Person
}

/** Connection of one agent to one visit. */
export interface AgentLine extends AssistLine {
  /** Socket id, by which tabs identify an agent. */
  readonly id: string
  readonly visitId: VisitId
  /** The agent's id in call signalling. */
  readonly peerId: string
  readonly agent: Person
}

/** State of an open tab. */
export interface Tab {
  readonly line: TabLine
  active: boolean
  /** Peer ids of the agents in its current call. */
  calling: string[]
  /** Calls that were started, answered or not, by the agent's socket id. */
  readonly calls: Map<string, Asking>
}

/** An agent's call to a tab, as call signalling identifies it. */
export interface Call {
  visitId: VisitId
  tabId: string
  /** The agent's peer id. */
  peerId: string
}

/** One browser with the app open, and the agents connected to it. */
export interface Visit {
  readonly id: VisitId
  readonly person: Person
  readonly since: EpochMs
  readonly tabs: Map<string, Tab>
  readonly agents: Map<string, AgentLine>
  /** Consent by tab id. It survives a short disconnect of its tab. */
  readonly consents: Map<string, Consent>
  /** Rate limit of its audit entries. */
  readonly notes: Flood
}

interface Ended {
  what: Asked | 'call'
  asking: Asking
  /** The reason, if it was never granted. */
  unanswered: Unanswered
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
  joinTab(line: TabLine, active: boolean): (() => void) | null {
    const visit = this.#visits.get(line.visitId) ?? this.#open(line)
    const before = visit.tabs.get(line.tabId)
    if (!before && visit.tabs.size >= maxTabs) return null
    if (before) this.#leaveTab(visit, before)
    before?.line.close()
    const tab: Tab = { line, active, calling: [], calls: new Map() }
    visit.tabs.set(line.tabId, tab)
    this.#visits.set(visit.id, visit)
    if (visit.agents.size > 0) line.send('AGENTS_CONNECTED', [...visit.agents.keys()])
    // The last agent may have left while the tab was disconnected.
    else line.send('NO_AGENT')
    for (const agent of visit.agents.values()) sayName(tab, agent)
    toAgents(visit, 'SESSION_RECONNECTED', line.tabId)
    return () => {
      if (visit.tabs.get(line.tabId) === tab) this.#leaveTab(visit, tab)
    }
  }

  /**
   * Registers an agent at an open visit. Call the result when the agent disconnects; null if the visit is
   * gone or full.
   */
  joinAgent(line: AgentLine): (() => void) | null {
    const visit = this.#visits.get(line.visitId)
    if (!visit || visit.agents.size >= maxAgents) return null
    visit.agents.set(line.id, line)
    const { id, email } = line.agent
    const name = agentName(line.agent)
    toTabs(visit, 'NEW_AGENT', line.id, { id, name, email, peerId: line.peerId, query: '' })
    for (const tab of visit.tabs.values()) sayName(tab, line)
    this.note(visit, line, 'agent-came')
    return () => this.#leaveAgent(visit, line)
  }

  /** Returns an open visit. */
  visit(visitId: VisitId): Visit | undefined {
    return this.#visits.get(visitId)
  }

  /** Returns the agent with this peer id. */
  agentAt(peerId: string): AgentLine | undefined {
    for (const { agents } of this.#visits.values()) {
      for (const line of agents.values()) if (line.peerId === peerId) return line
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
        tabs: [...tabs.values()].map(({ line, active, calling }) => ({
          tabId: line.tabId,
          active,
          inCall: calling.length > 0,
        })),
        agents: [...agents.values()].map(({ agent }) => agentName(agent)),
      }))
  }

  /**
   * Starts an agent's call to a tab. Returns false if one of them is not connected, or another agent's call
   * is ringing or active.
   */
  ring(call: Call): boolean {
    const { visit, tab, agent } = this.#endsOf(call)
    if (!visit || !tab || !agent) return false
    if ((callerOf(visit, tab) ?? agent) !== agent) return false
    this.endCalls(visit, tab, 'withdrawn', agent.id)
    tab.calls.set(agent.id, newAsking(agent.id))
    this.note(visit, agent, 'call-asked')
    return true
  }

  /** Records that the tab answered the call. */
  answer(call: Call) {
    const { visit, tab, agent } = this.#endsOf(call)
    const asking = agent && tab?.calls.get(agent.id)
    if (!visit || !asking || asking.granted) return
    asking.granted = true
    this.note(visit, agent, 'call-answered')
  }

  /** Ends all calls to a tab, or only that of one agent. */
  endCalls(visit: Visit, tab: Tab, unanswered: Unanswered, agentId?: string) {
    for (const [agent, asking] of tab.calls) {
      if (agentId !== undefined && agent !== agentId) continue
      tab.calls.delete(agent)
      this.noteEnd(visit, { what: 'call', asking, unanswered })
    }
  }

  /** Audits how an agent's request ended. */
  noteEnd(visit: Visit, { what, asking, unanswered }: Ended) {
    const event = endOf(what, asking, unanswered)
    asking.told = true
    if (event) this.note(visit, visit.agents.get(asking.agent), event)
  }

  /** Adds an audit entry. Above the rate limit all agents of the visit are disconnected. */
  note(visit: Visit, line: AgentLine | undefined, event: SupportEvent) {
    if (!visit.notes.takes()) for (const agent of visit.agents.values()) agent.close()
    this.#audit.note({
      event,
      visitId: visit.id,
      visitorId: visit.person.id,
      agentId: line?.agent.id ?? null,
    })
  }

  #open({ visitId, person }: TabLine): Visit {
    const since = Date.now()
    return {
      id: visitId,
      person,
      since,
      tabs: new Map(),
      agents: new Map(),
      consents: new Map(),
      notes: new Flood(notes),
    }
  }

  #endsOf({ visitId, tabId, peerId }: Call) {
    const visit = this.#visits.get(visitId)
    const agent = [...(visit?.agents.values() ?? [])].find(line => line.peerId === peerId)
    return { visit, tab: visit?.tabs.get(tabId), agent }
  }

  #leaveTab(visit: Visit, tab: Tab) {
    const { tabId } = tab.line
    visit.tabs.delete(tabId)
    const consent = visit.consents.get(tabId)
    for (const [what, asking] of consent?.all ?? []) {
      this.noteEnd(visit, { what, asking, unanswered: 'expired' })
    }
    this.endCalls(visit, tab, 'expired')
    consent?.suspend()
    if (consent?.holderOf('recording') === null) visit.consents.delete(tabId)
    toAgents(visit, 'SESSION_DISCONNECTED', tabId)
    this.#closeIfEmpty(visit)
  }

  #leaveAgent(visit: Visit, line: AgentLine) {
    // Audited before the agent is removed, while the requests still have an owner.
    for (const consent of visit.consents.values()) this.#endAll(visit, line, consent)
    for (const tab of visit.tabs.values()) this.endCalls(visit, tab, 'withdrawn', line.id)
    visit.agents.delete(line.id)
    this.note(visit, line, 'agent-went')
    toTabs(visit, 'AGENT_DISCONNECTED', line.id)
    if (visit.agents.size === 0) {
      visit.consents.clear()
      toTabs(visit, 'NO_AGENT')
    }
    this.#closeIfEmpty(visit)
  }

  #endAll(visit: Visit, line: AgentLine, consent: Consent) {
    for (const [what, asking] of consent.all) {
      if (asking.agent !== line.id) continue
      this.noteEnd(visit, { what, asking, unanswered: 'withdrawn' })
      // A pending request for a recording is kept: its prompt is still open, and an acceptance must be
      // revoked.
      if (what === 'control' || asking.granted) consent.end(what)
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
export function sayName({ line }: Tab, agent: AgentLine) {
  const { id, peerId } = agent
  line.send('_agent_name', id, {
    meta: { tabId: line.tabId },
    data: agentName(agent.agent),
    peerId,
  })
}

export function toAgents(visit: Visit, event: string, ...args: unknown[]) {
  for (const agent of visit.agents.values()) agent.send(event, ...args)
}

function toTabs(visit: Visit, event: string, ...args: unknown[]) {
  for (const { line } of visit.tabs.values()) line.send(event, ...args)
}
