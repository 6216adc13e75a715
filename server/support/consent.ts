import type { EpochMs } from '#contract/ids.ts'
import type { SupportEvent } from '#contract/support.ts'
import { unansweredMs } from '#contract/supportRules.ts'

/** What an agent may ask for. A call is agreed between the two browsers themselves. */
export type Asked = 'control' | 'recording'

/** One thing that an agent asked for: control, a recording or a call. */
export interface Asking {
  /** The socket of the agent who asked. */
  agent: string
  askedAt: EpochMs
  granted: boolean
  /** It is written down how it ended, though the page may still answer. */
  told: boolean
  /** The page has gone since: perhaps it was loaded anew, and knows nothing of it any more. */
  gone?: boolean
}

/**
 * What one tab has allowed to which agent. The tab keeps to it by itself; here it is kept too, so that
 * nothing an agent sends reaches a page that did not agree, and nothing of the page an agent it did not
 * agree to. Memory only: it knows no sockets.
 */
export class Consent {
  readonly #asked = new Map<Asked, Asking>()

  /** Notes that an agent asks. False if somebody has asked before and it is not over. */
  ask(what: Asked, agent: string): boolean {
    const asking = this.#asked.get(what)
    if (asking && !(asking.gone && asking.agent === agent)) return false
    this.#asked.set(what, newAsking(agent))
    return true
  }

  /** The tab agrees. After a reload it gives control back to who had it, without being asked. */
  grant(what: Asked, agent: string) {
    this.#asked.set(what, { ...newAsking(agent), granted: true })
  }

  /** It is refused or over. Returns what had been asked. */
  end(what: Asked): Asking | null {
    const asking = this.#asked.get(what) ?? null
    this.#asked.delete(what)
    return asking
  }

  /** The page was left or lost its line: what it allowed has to be said again by it. */
  suspend() {
    this.#asked.delete('control')
    const recording = this.#asked.get('recording')
    // A tab that was only out of reach still records, and says so when it is back.
    if (recording) this.#asked.set('recording', { ...recording, granted: false, gone: true })
  }

  /** What is asked or granted at the moment. */
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

  /** Whether this agent's pointer and keys reach the page. */
  mayAct(agent: string): boolean {
    return this.#has('control', agent)
  }

  /** Whether this agent sees the page. */
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

/** How something ends that nobody has granted: by the page, by the agent, or because the page is gone. */
export type Unanswered = 'refused' | 'withdrawn' | 'expired'

/** What is written down of the end of something; none where that was done before. */
export function endOf(
  what: Asked | 'call',
  { granted, told, askedAt }: Asking,
  unanswered: Unanswered,
): SupportEvent | null {
  if (told) return null
  if (granted) return `${what}-ended`
  // The page refuses by itself what was not answered by then.
  return `${what}-${Date.now() - askedAt >= unansweredMs ? 'expired' : unanswered}`
}
