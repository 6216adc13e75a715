import type { EpochMs } from '#contract/ids.ts'
import type { SupportEvent } from '#contract/support.ts'
import { unansweredMs } from '#contract/supportRules.ts'

/**
 * Kinds of consent that an agent may request here. The two browsers negotiate a call between themselves.
 */
export type Asked = 'control' | 'recording'

/** A pending or granted request of an agent: control, a recording or a call. */
export interface Asking {
  /** Socket id of the requesting agent. */
  agent: string
  askedAt: EpochMs
  granted: boolean
  /** Whether its end is already in the audit log, though the page may still respond. */
  told: boolean
  /** Whether the page has disconnected since: after a reload it no longer knows the request. */
  gone?: boolean
}

/**
 * Consent of one tab, per kind and agent. The tab enforces it itself; the server does too, so that no event
 * of an agent reaches a page without consent, and no recording reaches another agent. In memory only;
 * independent of sockets.
 */
export class Consent {
  readonly #asked = new Map<Asked, Asking>()

  /** Records an agent's request. Returns false if another request is pending or granted. */
  ask(what: Asked, agent: string): boolean {
    const asking = this.#asked.get(what)
    if (asking && !(asking.gone && asking.agent === agent)) return false
    this.#asked.set(what, newAsking(agent))
    return true
  }

  /** Records the tab's consent. After a reload the tab grants control again without a request. */
  grant(what: Asked, agent: string) {
    this.#asked.set(what, { ...newAsking(agent), granted: true })
  }

  /** Ends a refused or finished request, and returns it. */
  end(what: Asked): Asking | null {
    const asking = this.#asked.get(what) ?? null
    this.#asked.delete(what)
    return asking
  }

  /** Suspends consent while the page is disconnected: the page has to grant it again. */
  suspend() {
    this.#asked.delete('control')
    const recording = this.#asked.get('recording')
    // A tab that only lost its connection still records, and reports so after the reconnect.
    if (recording) this.#asked.set('recording', { ...recording, granted: false, gone: true })
  }

  /** All pending and granted requests. */
  get all(): [Asked, Asking][] {
    return [...this.#asked]
  }

  of(what: Asked): Asking | undefined {
    return this.#asked.get(what)
  }

  holderOf(what: Asked): string | null {
    return this.of(what)?.agent ?? null
  }

  isGranted(what: Asked): boolean {
    return this.#asked.get(what)?.granted === true
  }

  /** Whether this agent's pointer and keyboard events reach the page. */
  mayAct(agent: string): boolean {
    return this.#has('control', agent)
  }

  /** Whether this agent receives the page's recording. */
  maySee(agent: string): boolean {
    return this.#has('control', agent) || this.#has('recording', agent)
  }

  #has(what: Asked, agent: string): boolean {
    const asking = this.#asked.get(what)
    return asking !== undefined && asking.granted && asking.agent === agent
  }
}

export function newAsking(agent: string): Asking {
  return { agent, askedAt: Date.now(), granted: false, told: false }
}

/**
 * Why a request ends that was never granted: refused by the page, withdrawn by the agent, or expired with
 * the page.
 */
export type Unanswered = 'refused' | 'withdrawn' | 'expired'

/** Returns the audit event for the end of a request, or null if it is already audited. */
export function endOf(
  what: Asked | 'call',
  { granted, told, askedAt }: Asking,
  unanswered: Unanswered,
): SupportEvent | null {
  if (told) return null
  if (granted) return `${what}-ended`
  // After the timeout the page refuses by itself.
  return `${what}-${Date.now() - askedAt >= unansweredMs ? 'expired' : unanswered}`
}
