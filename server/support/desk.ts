import type { EpochMs, UserId } from '#contract/ids.ts'
import type { SupportEvent, VisitId, Visitor } from '#contract/support.ts'
import type { Person } from '#contract/users.ts'
import { agentName } from './agents.ts'
import type { Audit } from './audit.ts'
import { callerOf } from './caller.ts'
import { type Asked, type Asking, Consent, endOf, newAsking, type Unanswered } from './consent.ts'
import { Flood } from './flood.ts'

/** Tabs of one browser, and agents with one visitor. More is no help any more. */
const maxTabs = 20
const maxAgents = 4

/** Asking and answering, by hand. */
const notes = { burst: 60, perSecond: 1 }

interface AssistLine {
  send(event: string, ...args: unknown[]): void
  close(): void
}

/** One tab of a visitor. */
export interface TabLine extends AssistLine {
  readonly visitId: VisitId
  readonly tabId: string
  readonly person: Person
}

/** One agent at one visit. */
export interface AgentLine extends AssistLine {
  /** Of the socket: it is what tabs know an agent by. */
  readonly id: string
  readonly visitId: VisitId
  /** The agent's id at the signalling of calls. */
  readonly peerId: string
  readonly agent: Person
}

/** What is known of a tab that is open. */
export interface Tab {
  readonly line: TabLine
  active: boolean
  /** Peer ids of the agents it talks with. */
  calling: string[]
  /** By the agent's socket: calls that were begun, answered or not. */
  readonly calls: Map<string, Asking>
}

/** An agent's call to a tab, as the signalling knows it. */
export interface Call {
  visitId: VisitId
  tabId: string
  /** The agent's. */
  peerId: string
}

/** One browser with the app open, and the agents who are with it. */
export interface Visit {
  readonly id: VisitId
  readonly person: Person
  readonly since: EpochMs
  readonly tabs: Map<string, Tab>
  readonly agents: Map<string, AgentLine>
  /** By tab. It outlives a short absence of its tab. */
  readonly consents: Map<string, Consent>
  /** What may be written down of it. */
  readonly notes: Flood
}

interface Ended {
  what: Asked | 'call'
  asking: Asking
  /** How, if nobody had granted it. */
  unanswered: Unanswered
}

/** Who is at the support desk, and with whom. Memory only: it knows no sockets, HTTP or database. */
export class Desk {
  readonly #visits = new Map<VisitId, Visit>()
  readonly #audit: Audit

  constructor(audit: Audit) {
    this.#audit = audit
  }

  /** Puts a tab at the desk. Call the result when it is gone; none if there are too many. */
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
    // Perhaps the last one went while the tab was away.
    else line.send('NO_AGENT')
    for (const agent of visit.agents.values()) sayName(tab, agent)
    toAgents(visit, 'SESSION_RECONNECTED', line.tabId)
    return () => {
      if (visit.tabs.get(line.tabId) === tab) this.#leaveTab(visit, tab)
    }
  }

  /** Puts an agent beside a visitor who is there. Call the result when the agent goes. */
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

  /** The visit of somebody who is there. */
  visit(visitId: VisitId): Visit | undefined {
    return this.#visits.get(visitId)
  }

  /** The agent who is with a visitor under this peer id. */
  agentAt(peerId: string): AgentLine | undefined {
    for (const { agents } of this.#visits.values()) {
      for (const line of agents.values()) if (line.peerId === peerId) return line
    }
    return undefined
  }

  /** Whether this person is an agent who is with a visitor, or has a tab where a call rings or is on. */
  mayCall(userId: UserId): boolean {
    return [...this.#visits.values()].some(visit => {
      if ([...visit.agents.values()].some(({ agent }) => agent.id === userId)) return true
      if (visit.person.id !== userId) return false
      return [...visit.tabs.values()].some(tab => callerOf(visit, tab) !== null)
    })
  }

  /** Everybody with a tab open, who came last first. */
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

  /** An agent calls a tab. False if one of them is not here, or another agent's call rings there or is on. */
  ring(call: Call): boolean {
    const { visit, tab, agent } = this.#endsOf(call)
    if (!visit || !tab || !agent) return false
    if ((callerOf(visit, tab) ?? agent) !== agent) return false
    this.endCalls(visit, tab, 'withdrawn', agent.id)
    tab.calls.set(agent.id, newAsking(agent.id))
    this.note(visit, agent, 'call-asked')
    return true
  }

  /** The tab takes the call. */
  answer(call: Call) {
    const { visit, tab, agent } = this.#endsOf(call)
    const asking = agent && tab?.calls.get(agent.id)
    if (!visit || !asking || asking.granted) return
    asking.granted = true
    this.note(visit, agent, 'call-answered')
  }

  /** The calls to a tab are over, or only that of one agent. */
  endCalls(visit: Visit, tab: Tab, unanswered: Unanswered, agentId?: string) {
    for (const [agent, asking] of tab.calls) {
      if (agentId !== undefined && agent !== agentId) continue
      tab.calls.delete(agent)
      this.noteEnd(visit, { what: 'call', asking, unanswered })
    }
  }

  /** Writes down how something ended that an agent had asked for. */
  noteEnd(visit: Visit, { what, asking, unanswered }: Ended) {
    const event = endOf(what, asking, unanswered)
    asking.told = true
    if (event) this.note(visit, visit.agents.get(asking.agent), event)
  }

  /** Writes down what happened. Where it does not stop happening, the agents have to come anew. */
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
    // Written down while it is known whose they were.
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
      // A recording that is still asked stays: the prompt does too, and its answer has to be taken back.
      if (what === 'control' || asking.granted) consent.end(what)
    }
  }

  #closeIfEmpty(visit: Visit) {
    if (visit.tabs.size + visit.agents.size === 0) this.#visits.delete(visit.id)
  }
}

/** What a tab has allowed so far. */
export function consentOf(visit: Visit, tabId: string): Consent {
  const known = visit.consents.get(tabId)
  if (known) return known
  const made = new Consent()
  visit.consents.set(tabId, made)
  return made
}

/**
 * Tells a tab who an agent is. It makes the tab ready for a call too, and what is on the page of an agent only
 * gets a name that is said once it is there: it is said again and again.
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
