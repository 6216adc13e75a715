import type { Answer } from '#contract/answers.ts'
import type { Down, RoomName } from '#contract/live.ts'
import type { Session } from '#contract/sessions.ts'
import { Listeners } from '../listeners.ts'
import type { Channel } from './channel.ts'

/** The answers of a session that its screens show. */
export interface KnownAnswers {
  /** The driver's newest answer. */
  readonly answer: Answer | null
  /** The newest one that reported a problem or took it back. */
  readonly problem: Answer | null
  /** The newest Yes or No, which may belong to an older message. */
  readonly reply: Answer | null
}

/** Returns the answer to the question with this version: Yes or No. A report answers no question. */
export function answerTo<A extends Pick<Answer, 'version'>>(
  version: number,
  reply: A | null,
): A | null {
  return reply?.version === version ? reply : null
}

/** True for an answer that reports a problem or takes it back. */
export function isAboutProblem({ kind }: Pick<Answer, 'kind'>): boolean {
  return kind === 'Problem' || kind === 'TakenBack'
}

export function isReply({ kind }: Pick<Answer, 'kind'>): boolean {
  return kind === 'Yes' || kind === 'No'
}

/** Follows the answers of a session: the newest one wins, in whatever order frames arrive. */
export class SessionAnswers {
  readonly #channel: Channel
  readonly #sessionId: string
  readonly #room: RoomName
  readonly #listeners = new Listeners()
  #state: KnownAnswers = { answer: null, problem: null, reply: null }

  constructor(channel: Channel, sessionId: string) {
    this.#channel = channel
    this.#sessionId = sessionId
    this.#room = `session:${sessionId}`
  }

  /** The same object until something changes. */
  get state(): KnownAnswers {
    return this.#state
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Subscribes to the session's room, across reconnections. Call the result to stop. */
  start(): () => void {
    return this.#channel.subscribe(this.#room, frame => this.#onFrame(frame))
  }

  /** Merges a session read by a call. */
  mergeSession({ answer, problem, reply }: Pick<Session, 'answer' | 'problem' | 'reply'>) {
    for (const each of [answer, problem, reply]) if (each) this.#merge(each)
  }

  /** Requests a new snapshot, as every new listener does. */
  #refresh() {
    this.#channel.subscribe(this.#room, () => {})()
  }

  #onFrame(frame: Down) {
    if (frame.t === 'snapshot' && frame.snapshot.of === 'session')
      this.mergeSession(frame.snapshot.session)
    if (frame.t === 'answer') this.#merge(frame.answer)
    // A newer number means a missed event.
    const newest = frame.t === 'heartbeat' ? (frame.answers?.[this.#sessionId] ?? 0) : 0
    const { answer, problem } = this.#state
    if (newest > Math.max(answer?.number ?? 0, problem?.gotIt?.number ?? 0)) this.#refresh()
  }

  #merge(received: Answer) {
    const { answer, problem, reply } = this.#state
    const next = {
      answer: newer(answer, received),
      problem: isAboutProblem(received) ? newer(problem, received) : problem,
      reply: isReply(received) ? newer(reply, received) : reply,
    }
    if (next.answer === answer && next.problem === problem && next.reply === reply) return
    this.#state = next
    this.#listeners.notify()
  }
}

function newer(known: Answer | null, received: Answer): Answer {
  if (!known || received.number > known.number) return received
  const isNews = received.number === known.number && received.gotIt && !known.gotIt
  return isNews ? received : known
}
