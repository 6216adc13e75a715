import { unansweredMs } from '#support/contract/supportRules.ts'

/** Stage of a request for the person's consent. */
export type Stage = 'none' | 'asked' | 'granted' | 'refused' | 'busy' | 'expired' | 'ended'

/**
 * The page itself responds after 30 s without an answer; this is the additional time for its response
 * to arrive.
 */
const graceMs = 2000

interface Listener {
  /** The stage changed. */
  changed(): void
  /** Neither the person nor the page responded: withdraw the request. */
  expired(): void
}

/** One request for a person's consent. Independent of sockets. */
export class ConsentRequest {
  readonly #listener: Listener
  #stage: Stage = 'none'
  #askedAt = 0
  /**
   * Whether a grant would still be accepted, for instance when the page restores an earlier one after a
   * reload.
   */
  #grantable = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(listener: Listener) {
    this.#listener = listener
  }

  get stage(): Stage {
    return this.#stage
  }

  ask() {
    this.#grantable = true
    this.#askedAt = Date.now()
    this.#setStage('asked')
    this.#timer = setTimeout(() => {
      this.#setStage('expired')
      this.#listener.expired()
    }, unansweredMs + graceMs)
  }

  /** The page grants it. Ignored unless it was requested. */
  granted() {
    if (this.#grantable) this.#setStage('granted')
  }

  /** The page rejects it or ends it. A reloaded page also ends it first and then restores it. */
  rejected() {
    if (this.#stage === 'granted') return this.#setStage('ended')
    if (this.#stage !== 'asked') return
    this.#grantable = false
    this.#setStage(Date.now() - this.#askedAt >= unansweredMs ? 'expired' : 'refused')
  }

  /** Another agent was first. */
  busy() {
    if (this.#stage !== 'asked') return
    this.#grantable = false
    this.#setStage('busy')
  }

  /** The agent ends it, or withdraws the request. */
  end() {
    this.#grantable = false
    if (this.#stage === 'granted') this.#setStage('ended')
    else if (this.#stage === 'asked') this.#setStage('none')
  }

  /** The page is disconnected. It may restore its consents when it reconnects. */
  lost() {
    if (this.#stage === 'asked') this.#grantable = false
    if (this.#stage === 'asked' || this.#stage === 'granted') this.#setStage('ended')
  }

  #setStage(stage: Stage) {
    clearTimeout(this.#timer)
    if (this.#stage === stage) return
    this.#stage = stage
    this.#listener.changed()
  }
}
