import type { EpochMs } from '#contract/ids.ts'
import type { Person } from '#contract/users.ts'
import type { TokenBucket } from '#server/rateLimit/tokenBucket.ts'
import type { VisitId } from '#support/contract/support.ts'
import type { Consent, ConsentRequest } from './consent.ts'

interface AssistConnection {
  send(event: string, ...args: unknown[]): void
  close(): void
}

export interface TabConnection extends AssistConnection {
  readonly visitId: VisitId
  readonly tabId: string
  readonly person: Person
}

/** Connection of one agent to one visit. */
export interface AgentConnection extends AssistConnection {
  /** Socket id: tabs identify an agent by it. */
  readonly id: string
  readonly visitId: VisitId
  /** The agent's id in call signalling. */
  readonly peerId: string
  readonly agent: Person
}

/** State of an open tab. */
export interface Tab {
  readonly connection: TabConnection
  active: boolean
  /** Peer ids of the agents in its current call. */
  calling: string[]
  /** Calls that were started, answered or not, by the agent's socket id. */
  readonly calls: Map<string, ConsentRequest>
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
  readonly agents: Map<string, AgentConnection>
  /** Consent by tab id. It survives a short disconnect of its tab. */
  readonly consents: Map<string, Consent>
  /** Rate limit of its audit entries. */
  readonly auditLimit: TokenBucket
}
