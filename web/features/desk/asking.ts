import { unansweredMs } from '#contract/supportRules.ts'

/** How far it is with something that a person is asked for. */
export type Stage = 'none' | 'asked' | 'granted' | 'refused' | 'busy' | 'expired' | 'ended'

/** The page answers for its person after 30 s; this much later its answer should have come. */
const graceMs = 2000

interface Listener {
  /** The stage is another one. */
  changed(): void
  /** Nobody answered, and the page does not say so either: the request is to be taken back. */
  expired(): void
}

/** One thing that a person is asked for. It knows no sockets. */
export class Asking {
  readonly #listener: Listener
  #stage: Stage = 'none'
  #askedAt = 0
  /** Whether the page may still say yes, perhaps because it gives back after a reload what we had. */
  #open = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(listener: Listener) {
    this.#listener = listener
  }

  get stage(): Stage {
    return this.#stage
  }

  ask() {
    this.#open = true
    this.#askedAt = Date.now()
    this.#become('asked')
    this.#timer = setTimeout(() => {
      this.#become('expired')
      this.#listener.expired()
    }, unansweredMs + graceMs)
  }

  /** The page says yes. It counts only if it was asked. */
  granted() {
    if (this.#open) this.#become('granted')
  }

  /** The page says no, or that it is over. It says so when it is loaded anew too, and then gives it back. */
  rejected() {
    if (this.#stage === 'granted') return this.#become('ended')
    if (this.#stage !== 'asked') return
    this.#open = false
    this.#become(Date.now() - this.#askedAt >= unansweredMs ? 'expired' : 'refused')
  }

  /** Another agent was first. */
  busy() {
    if (this.#stage !== 'asked') return
    this.#open = false
    this.#become('busy')
  }

  /** The agent ends it, or takes back what was asked. */
  end() {
    this.#open = false
    if (this.#stage === 'granted') this.#become('ended')
    else if (this.#stage === 'asked') this.#become('none')
  }

  /** The page is out of reach. What it had granted it may give back by itself. */
  lost() {
    if (this.#stage === 'asked') this.#open = false
    if (this.#stage === 'asked' || this.#stage === 'granted') this.#become('ended')
  }

  #become(stage: Stage) {
    clearTimeout(this.#timer)
    if (this.#stage === stage) return
    this.#stage = stage
    this.#listener.changed()
  }
}
