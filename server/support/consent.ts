/** What an agent may ask for. A call is agreed between the two browsers themselves. */
export type Asked = 'control' | 'recording'

interface Asking {
  /** The socket of the agent who asked. */
  agent: string
  granted: boolean
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
    this.#asked.set(what, { agent, granted: false })
    return true
  }

  /** The tab agrees. After a reload it gives control back to who had it, without being asked. */
  grant(what: Asked, agent: string) {
    this.#asked.set(what, { agent, granted: true })
  }

  /** It is refused or over. Returns who had asked, and whether it had been granted. */
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

  holderOf(what: Asked): string | null {
    return this.#asked.get(what)?.agent ?? null
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
