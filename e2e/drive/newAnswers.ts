import type { Answer } from '#contract/answers.ts'
import type { TestConnection } from '#testing/live/testConnection.ts'

/** Reads each answer once: the phone repeats one that is not acknowledged within a second. */
export class NewAnswers {
  readonly #subscriber: TestConnection
  readonly #taken = new Set<string>()

  constructor(subscriber: TestConnection) {
    this.#subscriber = subscriber
  }

  /** Waits for an answer that was not taken before. */
  async next(): Promise<Answer> {
    const { answer } = await this.#subscriber.next(
      'answer',
      each => !this.#taken.has(each.answer.id),
    )
    this.#taken.add(answer.id)
    return answer
  }

  /** Returns received answers not yet taken. */
  received(): Answer[] {
    const received = this.#subscriber.received('answer').map(({ answer }) => answer)
    return received.filter(({ id }) => !this.#taken.has(id))
  }
}
