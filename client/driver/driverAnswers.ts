import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { Down, RoomName } from '#contract/live.ts'
import { isRetryable } from '#contract/shared/refusals.ts'
import type { Channel } from '../channel/channel.ts'
import { isAboutProblem, isReply, SessionAnswers } from '../channel/sessionAnswers.ts'
import { Listeners } from '../listeners.ts'
import type { StoredQueue } from '../storedQueue.ts'
import type { TextStore } from '../textStore.ts'
import { type DueAnswer, maxStoredAnswers, queueOfAnswers } from './storedAnswers.ts'

/** An unacknowledged answer is sent again with the first heartbeat after this time. */
const resendAfterMs = 1000

/** An answer as the driver's screen shows it. */
export interface GivenAnswer extends Pick<Answer, 'id' | 'kind' | 'version'> {
  /** The server has it. */
  readonly isStored: boolean
  /** When the server received it; absent until it has. */
  readonly receivedAt?: number
  /** Once a member has got the problem: their name, and after how long. */
  readonly gotIt?: { readonly by: string | null; readonly at: number; readonly afterMs: number }
}

export interface DriverAnswersState {
  readonly newest: GivenAnswer | null
  /** The reported problem, until it is taken back. */
  readonly problem: GivenAnswer | null
  /** The newest Yes or No, which may belong to an older message. */
  readonly reply: GivenAnswer | null
}

interface Options {
  readonly channel: Channel
  readonly sessionId: string
  readonly store: TextStore
  /** A new random UUID. */
  readonly newId: () => string
  readonly report: (problem: string) => void
}

/**
 * The answers of the driver. Each press gets an id and stays on the phone until the server is known to have it, across
 * reloads and reconnections; repeated frames are harmless, because the server stores an id once.
 */
export class DriverAnswers {
  readonly #options: Options
  readonly #known: SessionAnswers
  readonly #listeners = new Listeners()
  readonly #queue: StoredQueue<DueAnswer>
  /** The answer that was sent last on this connection, and when, by `ServerClock.now`. */
  #sent: { readonly id: string; readonly at: number } | null = null
  #state: DriverAnswersState = { newest: null, problem: null, reply: null }

  constructor(options: Options) {
    this.#options = options
    this.#known = new SessionAnswers(options.channel, options.sessionId)
    const { store, sessionId, channel } = options
    this.#queue = queueOfAnswers(store, { userId: channel.userId, sessionId })
    this.#refresh()
  }

  /** The same object until something changes. */
  get state(): DriverAnswersState {
    return this.#state
  }

  /** Answers that the server is not known to have, the oldest first. */
  get due(): readonly DueAnswer[] {
    return this.#queue.items
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Sends the due answers while this device drives. Call the result to stop. */
  start(): () => void {
    const { channel, sessionId } = this.#options
    const room: RoomName = `session:${sessionId}`
    const restart = () => {
      this.#sent = null
      this.#sendNext()
    }
    const undo = [
      this.#known.onChange(() => this.#refresh()),
      this.#known.start(),
      channel.subscribe(room, frame => this.#onFrame(frame)),
      channel.onDriving(restart),
    ]
    restart()
    return () => {
      for (const each of undo) each()
    }
  }

  /** Answers now, to the newest message that the phone knows. Returns the answer's id. */
  give(kind: AnswerKind, version: number): string {
    const id = this.#options.newId()
    const answer = { id, kind, version, ...this.#options.channel.clock.timeOf() }
    if (this.due.length >= maxStoredAnswers)
      this.#options.report(`The oldest answer was dropped: more than ${maxStoredAnswers} are due`)
    this.#update(due => [...due, answer].slice(-maxStoredAnswers))
    this.#sendNext()
    return id
  }

  #onFrame(frame: Down) {
    if (frame.t === 'answer') this.#acknowledge(frame.answer.id)
    if (frame.t === 'heartbeat') this.#sendNext()
    if (frame.t === 'refused' && frame.re === 'answer' && !isRetryable(frame.code))
      this.#skip(frame.code)
    if (frame.t === 'snapshot' && frame.snapshot.of === 'session') {
      const { answer, problem, reply, status } = frame.snapshot.session
      for (const each of [answer, problem, reply]) if (each) this.#acknowledge(each.id)
      if (status === 'Complete') this.#drop()
    }
    if (frame.t === 'session-ended') this.#drop()
  }

  /** Sends one answer at a time: a later one must not overtake one that the server refused temporarily. */
  #sendNext() {
    const { channel } = this.#options
    const [next] = this.due
    if (!next) return
    const now = channel.clock.now()
    if (this.#sent?.id === next.id && Math.abs(now - this.#sent.at) < resendAfterMs) return
    const { id, kind, version } = next
    const at = channel.clock.dated(next)
    if (at !== null && channel.sendFromCar({ t: 'answer', id, kind, version, at }))
      this.#sent = { id, at: now }
  }

  #acknowledge(id: string) {
    if (!this.due.some(each => each.id === id)) return
    this.#update(due => due.filter(each => each.id !== id))
    this.#sendNext()
  }

  /** Drops the answer that was sent: the server will never accept it, and later ones must not wait for it. */
  #skip(code: string) {
    const refused = this.due.find(({ id }) => id === this.#sent?.id)
    if (!refused) return
    this.#options.report(`An answer was dropped: the server refused it (${code})`)
    this.#update(due => due.filter(({ id }) => id !== refused.id))
    this.#sendNext()
  }

  /** Drops all answers: the session has ended, so the server accepts none any more. */
  #drop() {
    if (this.due.length === 0) return
    this.#options.report('Answers were dropped: the session has ended')
    this.#update(() => [])
  }

  #update(change: (due: readonly DueAnswer[]) => readonly DueAnswer[]) {
    if (this.#queue.update(change)) this.#refresh()
  }

  #refresh() {
    const { answer, problem, reply } = this.#known.state
    const newestProblem = given(this.due.filter(isAboutProblem).at(-1), problem)
    this.#state = {
      newest: given(this.due.at(-1), answer),
      problem: newestProblem?.kind === 'Problem' ? newestProblem : null,
      reply: given(this.due.filter(isReply).at(-1), reply),
    }
    this.#listeners.notify()
  }
}

/** An answer that is not acknowledged is newer than any that the server has. */
function given(due: DueAnswer | undefined, stored: Answer | null): GivenAnswer | null {
  const newest = due ?? stored
  if (!newest) return null
  const { id, kind, version } = newest
  if (due || !stored) return { id, kind, version, isStored: false }
  const { at, receivedAt, gotIt } = stored
  const got = gotIt && { by: gotIt.by, at: gotIt.at, afterMs: gotIt.at - at }
  return { id, kind, version, isStored: true, receivedAt, ...(got && { gotIt: got }) }
}
