import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { loadCore, pin } from './processes.ts'

/** One connection to open. */
export interface LoadConnection {
  /** Token of a device's login. Only our own server requires it. */
  token: string
  session: string
  /** Start of its car within the drive that all cars repeat, as a share from 0 to 1; null for a watcher. */
  drivesFrom: number | null
  /** Whether the latency of the fixes that it receives is measured. */
  sampled: boolean
}

export type Order =
  | { do: 'connect'; port: number; connections: LoadConnection[] }
  /** Sends the fixes of the past seconds, one for each, so that the server knows the first laps. */
  | { do: 'catchUp'; historyS: number }
  /** Sends fixes, and measures the server's process after the warm-up. */
  | { do: 'drive'; hz: number; warmUpS: number; seconds: number; pid: number }

/** Measurement of a server over some seconds. */
export interface Measured {
  seconds: number
  fixes: number
  /** Fixes received by watchers. */
  deliveries: number
  serverCpuS: number
  generatorCpuS: number
  p50Ms: number
  p99Ms: number
  /** Events about laps, and about stints or visits to the pits, since the connections were opened. */
  lapEvents: number
  pitEvents: number
  /** Connections closed by the server since they were opened. */
  lost: number
}

/** The response to an order. */
export type Answer = { measured: Measured | null } | { error: string }

/** A load generator: a process of its own, on its own core, so that its CPU time is not counted as the server's. */
export class Generator {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, 'exit')
  }

  static async start(): Promise<Generator> {
    const child = fork(join(import.meta.dirname, 'generatorProcess.ts'))
    await once(child, 'message')
    pin(child.pid ?? 0, loadCore)
    return new Generator(child)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Carries out one order at a time. Throws if a connection was closed or nothing arrived. */
  async run(order: Order): Promise<Measured | null> {
    this.#child.send(order)
    const exited = this.#exited.then(() => [{ error: 'The generator process has exited' }])
    const [answer] = (await Promise.race([once(this.#child, 'message'), exited])) as [Answer]
    if ('error' in answer) throw new Error(answer.error)
    return answer.measured
  }

  async stop() {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}
