import { Worker } from 'node:worker_threads'
import type { EmbeddedEngine, EngineResult } from './engine.ts'
import {
  damagedExitCode,
  diskFullCode,
  type ThreadError,
  type ThreadRequest,
  type ThreadResponse,
  type ThreadResult,
} from './threadMessages.ts'

/** Omits the id from each member of the union. */
type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never

interface Pending {
  resolve(result: ThreadResult): void
  reject(error: Error): void
}

/**
 * Opens the database of a folder in a worker thread, so that neither a statement nor the disk blocks the live
 * channel. Rejects if it cannot be opened.
 */
export async function openInThread(
  directory: string,
  start: (directory: string) => Worker = startWorker,
): Promise<EmbeddedEngine> {
  const thread = new DatabaseThread(start(directory))
  await thread.ready
  return thread
}

class DatabaseThread implements EmbeddedEngine {
  readonly ready: Promise<void>
  readonly failure: Promise<Error>
  readonly generation = 0
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #isClosing = false
  #ended: Error | undefined

  constructor(worker: Worker) {
    this.#worker = worker
    const exited = new Promise<Error>(resolve => {
      this.#worker.once('error', error => resolve(endedBy(error)))
      this.#worker.once('exit', code =>
        resolve(code === damagedExitCode ? new DatabaseDamaged() : endedBy(`exit code ${code}`)),
      )
    })
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (answer: ThreadResponse) => {
        if ('ready' in answer) resolve()
        else this.#onAnswer(answer)
      })
      void exited.then(reject)
    })
    this.failure = new Promise(resolve => {
      void exited.then(error => {
        this.#ended = error
        for (const { reject } of this.#pending.values()) reject(error)
        this.#pending.clear()
        if (!this.#isClosing) resolve(error)
      })
    })
  }

  async run(statement: string, parameters: readonly unknown[]): Promise<EngineResult> {
    const { rows, command, rowCount, byteColumns } = await this.#request({
      run: statement,
      parameters,
    })
    for (const column of byteColumns) for (const row of rows) row[column] = asBuffer(row[column])
    return { rows, command, rowCount }
  }

  async close() {
    this.#isClosing = true
    if (this.#ended) return
    const exited = new Promise(resolve => this.#worker.once('exit', resolve))
    await this.#request({ close: true })
    await exited
  }

  #request(request: Unnumbered<ThreadRequest>): Promise<ThreadResult> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended)
      const id = ++this.#lastId
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ ...request, id })
    })
  }

  #onAnswer(answer: Exclude<ThreadResponse, { ready: true }>) {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if ('error' in answer) pending?.reject(new EmbeddedDatabaseError(answer.error))
    else pending?.resolve(answer.result)
  }
}

/** An error thrown in the database's thread. */
class EmbeddedDatabaseError extends Error {
  readonly code: string | undefined
  readonly detail: string | undefined
  readonly constraint: string | undefined

  constructor({ message, stack, code, detail, constraint }: ThreadError) {
    super(message)
    if (stack !== undefined) this.stack = stack
    this.code = code
    this.detail = detail
    this.constraint = constraint
  }
}

/** SQLSTATE 57P01 (shut down): the operation may be retried once the server has restarted. */
class DatabaseThreadEnded extends Error {
  readonly code = '57P01'
}

/** The disk was full, or failed, during a write to the log. Nothing that was acknowledged is lost. */
export class DatabaseDamaged extends Error {
  readonly code = diskFullCode

  constructor() {
    super('The disk is full: the embedded database restarts once there is room.')
  }
}

function endedBy(cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new DatabaseThreadEnded(`The thread of the embedded database ended: ${why}`, { cause })
}

/** The build has the entry as a separate file; the sources are TypeScript, which Node 20 needs tsx for. */
function startWorker(directory: string): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = isSource ? './databaseThreadFromSource.mjs' : './databaseThread.js'
  return new Worker(new URL(entry, import.meta.url), { execArgv: [], workerData: directory })
}

function asBuffer(value: unknown): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}
