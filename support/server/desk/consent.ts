import type { EpochMs } from '#contract/ids.ts'
import type { SupportEvent } from '#support/contract/support.ts'
import { unansweredMs } from '#support/contract/supportRules.ts'

/**
 * Kinds of consent that an agent may request here. The two browsers negotiate a call between themselves.
 */
export type ConsentKind = 'control' | 'recording'

/** A pending or granted request of an agent: control, a recording or a call. */
export interface ConsentRequest {
  /** Socket id of the requesting agent. */
  agent: string
  requestedAt: EpochMs
  granted: boolean
  /** Whether its end is already in the audit log, though the page may still respond. */
  recorded: boolean
  /** Whether the page has disconnected since: after a reload it no longer knows the request. */
  disconnected?: boolean
}

/**
 * Consent of one tab, per kind and agent. The tab enforces it itself; the server does too, so that no event
 * of an agent reaches a page without consent, and no recording reaches another agent. In memory only;
 * independent of sockets.
 */
export class Consent {
  readonly #requests = new Map<ConsentKind, ConsentRequest>()

  /** Records an agent's request. Returns false if another request is pending or granted. */
  ask(what: ConsentKind, agent: string): boolean {
    const request = this.#requests.get(what)
    if (request && !request.disconnected) return false
    this.#requests.set(what, newConsentRequest(agent))
    return true
  }

  /** Records the tab's consent. After a reload the tab grants control again without a request. */
  grant(what: ConsentKind, agent: string) {
    this.#requests.set(what, { ...newConsentRequest(agent), granted: true })
  }

  /** Ends a refused or finished request, and returns it. */
  end(what: ConsentKind): ConsentRequest | null {
    const request = this.#requests.get(what) ?? null
    this.#requests.delete(what)
    return request
  }

  /** Suspends consent while the page is disconnected: the page has to grant it again. */
  suspend() {
    this.#requests.delete('control')
    const recording = this.#requests.get('recording')
    // A tab that only lost its connection still records, and reports so after the reconnect.
    if (recording)
      this.#requests.set('recording', { ...recording, granted: false, disconnected: true })
  }

  /** All pending and granted requests. */
  get all(): [ConsentKind, ConsentRequest][] {
    return [...this.#requests]
  }

  of(what: ConsentKind): ConsentRequest | undefined {
    return this.#requests.get(what)
  }

  holderOf(what: ConsentKind): string | null {
    return this.of(what)?.agent ?? null
  }

  isGranted(what: ConsentKind): boolean {
    return this.#requests.get(what)?.granted === true
  }

  /** Whether this agent's pointer and keyboard events reach the page. */
  mayAct(agent: string): boolean {
    return this.#has('control', agent)
  }

  /** Whether this agent receives the page's recording. */
  maySee(agent: string): boolean {
    return this.#has('control', agent) || this.#has('recording', agent)
  }

  #has(what: ConsentKind, agent: string): boolean {
    const request = this.#requests.get(what)
    return request !== undefined && request.granted && request.agent === agent
  }
}

export function newConsentRequest(agent: string): ConsentRequest {
  return { agent, requestedAt: Date.now(), granted: false, recorded: false }
}

/**
 * Why a request ends that was never granted: refused by the page, withdrawn by the agent, or expired with
 * the page.
 */
export type UnansweredReason = 'refused' | 'withdrawn' | 'expired'

/** Returns the audit event for the end of a request, or null if it is already audited. */
export function endOf(
  what: ConsentKind | 'call',
  { granted, recorded, requestedAt }: ConsentRequest,
  unanswered: UnansweredReason,
): SupportEvent | null {
  if (recorded) return null
  if (granted) return `${what}-ended`
  // After the timeout the page refuses automatically.
  return `${what}-${Date.now() - requestedAt >= unansweredMs ? 'expired' : unanswered}`
}
