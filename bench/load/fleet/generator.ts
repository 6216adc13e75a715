import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Answer, Measured, Order } from '../orders.ts'
import { loadCore, pin } from '../processes.ts'
import { requireValid } from '../requireValid.ts'

/** A load generator process, pinned to a core of its own. */
export class Generator implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #pending = new Map<number, (answer: Answer) => void>()
  #orders = 0

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (answer: Answer) => this.#pending.get(answer.order)?.(answer))
    child.once('exit', () => {
      for (const [order, resolve] of this.#pending)
        resolve({ order, error: 'The generator process has exited' })
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

  /** Opens additional connections. Throws if one of them is refused. */
  async connect(order: Omit<Order & { do: 'connect' }, 'do'>) {
    await this.#order({ do: 'connect', ...order })
  }

  /**
   * Sends the missing fixes of each car: one for each second since its newest fix, at most for the past `historyS`
   * seconds. The server then knows the car's direction and first lap before the measurement.
   */
  async catchUp(historyS: number) {
    await this.#order({ do: 'catchUp', historyS })
  }

  /**
   * Sends the fixes of all cars, and measures after the warm-up. Throws if a connection was closed or
   * nothing arrived.
   */
  async drive(order: Omit<Order & { do: 'drive' }, 'do'>): Promise<Measured> {
    const { measured } = await this.#order({ do: 'drive', ...order })
    if (!measured) throw new Error('The generator measured nothing')
    return requireValid(measured)
  }

  async [Symbol.asyncDispose]() {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }

  async #order(order: Order): Promise<Answer> {
    if (!this.#child.connected) throw new Error('The generator process has exited')
    const number = ++this.#orders
    const answered = new Promise<Answer>(resolve => this.#pending.set(number, resolve))
    this.#child.send({ ...order, order: number })
    const answer = await answered
    this.#pending.delete(number)
    if (answer.error) throw new Error(answer.error)
    return answer
  }
}
