import type { EpochMs } from '#contract/ids.ts'
import type { SupportEvent, VisitId, Visitor } from '#contract/support.ts'
import type { Person } from '#contract/users.ts'
import { agentName } from './agents.ts'
import type { Audit } from './audit.ts'
import { Consent } from './consent.ts'
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
  title: string
  active: boolean
  /** Peer ids of the agents it talks with. */
  calling: string[]
  /** The call that rings there. */
  ringing?: { peerId: string; untilAt: EpochMs } | undefined
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

/** Who is at the support desk, and with whom. Memory only: it knows no sockets, HTTP or database. */
export class Desk {
  readonly #visits = new Map<VisitId, Visit>()
  readonly #audit: Audit

  constructor(audit: Audit) {
    this.#audit = audit
  }

  /** Puts a tab at the desk. Call the result when it is gone; none if there are too many. */
  joinTab(line: TabLine, news: { title: string; active: boolean }): (() => void) | null {
    const visit = this.#visits.get(line.visitId) ?? this.#open(line)
    const before = visit.tabs.get(line.tabId)
    if (!before && visit.tabs.size >= maxTabs) return null
    if (before) this.#leaveTab(visit, before.line)
    before?.line.close()
    const tab = { line, ...news, calling: [] }
    visit.tabs.set(line.tabId, tab)
    this.#visits.set(visit.id, visit)
    if (visit.agents.size > 0) line.send('AGENTS_CONNECTED', [...visit.agents.keys()])
    // Perhaps the last one went while the tab was away.
    else line.send('NO_AGENT')
    for (const agent of visit.agents.values()) sayName(tab, agent)
    toAgents(visit, 'SESSION_RECONNECTED', line.tabId)
    return () => {
      if (visit.tabs.get(line.tabId) === tab) this.#leaveTab(visit, line)
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

  /** Everybody with a tab open, who came last first. */
  visitors(): Visitor[] {
    const open = [...this.#visits.values()].filter(({ tabs }) => tabs.size > 0)
    return open
      .sort((a, b) => b.since - a.since)
      .map(({ id, person, since, tabs, agents }) => ({
        visitId: id,
        person,
        since,
        tabs: [...tabs.values()].map(({ line, title, active, calling }) => ({
          tabId: line.tabId,
          title,
          active,
          inCall: calling.length > 0,
        })),
        agents: [...agents.values()].map(({ agent }) => agentName(agent)),
      }))
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

  #leaveTab(visit: Visit, line: TabLine) {
    visit.tabs.delete(line.tabId)
    const consent = visit.consents.get(line.tabId)
    const holder = consent?.holderOf('control')
    if (holder && consent?.mayAct(holder)) {
      this.note(visit, visit.agents.get(holder), 'control-ended')
    }
    consent?.suspend()
    if (consent?.holderOf('recording') === null) visit.consents.delete(line.tabId)
    if (visit.tabs.size > 0) return
    toAgents(visit, 'SESSION_DISCONNECTED')
    this.#closeIfEmpty(visit)
  }

  #leaveAgent(visit: Visit, line: AgentLine) {
    // Written down while it is known whose they were.
    for (const consent of visit.consents.values()) this.#endAll(visit, line, consent)
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
    if (consent.holderOf('control') === line.id) {
      const was = consent.end('control')
      this.note(visit, line, was?.granted ? 'control-ended' : 'control-refused')
    }
    // One that is still asked stays: the prompt does too, and its answer has to be taken back.
    if (consent.holderOf('recording') === line.id && consent.isGranted('recording')) {
      consent.end('recording')
      this.note(visit, line, 'recording-ended')
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
