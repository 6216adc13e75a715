import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Answer, Measured, Order } from './orders.ts'
import { loadCore, pin } from './processes.ts'
import { requireSound } from './requireSound.ts'

/** A process that makes load, on a core of its own. */
export class Generator implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #orders = 0

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (answer: Answer) => this.#waiting.get(answer.order)?.(answer))
    child.once('exit', () => {
      for (const [order, hear] of this.#waiting) hear({ order, error: 'The generator ended' })
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  static async start(): Promise<Generator> {
    const child = fork(join(import.meta.dirname, 'generatorProcess.ts'))
    await once(child, 'message')
    const generator = new Generator(child)
    pin(generator.pid, loadCore)
    return generator
  }

  /** Opens lines, besides those that are open. Throws when one of them is refused. */
  async connect(order: Omit<Order & { do: 'connect' }, 'do'>) {
    await this.#order({ do: 'connect', ...order })
  }

  /** Lets all cars drive, and measures after the warm-up. Throws when a connection was closed or nothing came. */
  async drive(order: Omit<Order & { do: 'drive' }, 'do'>): Promise<Measured> {
    const { measured } = await this.#order({ do: 'drive', ...order })
    if (!measured) throw new Error('The generator measured nothing')
    return requireSound(measured)
  }

  async [Symbol.asyncDispose]() {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  async #order(order: Order): Promise<Answer> {
    if (!this.#child.connected) throw new Error('The generator ended')
    const number = ++this.#orders
    const answered = new Promise<Answer>(resolve => this.#waiting.set(number, resolve))
    this.#child.send({ ...order, order: number })
    const answer = await answered
    this.#waiting.delete(number)
    if (answer.error) throw new Error(answer.error)
    return answer
  }
}
