import { Worker } from 'node:worker_threads'
import type { EmbeddedEngine, EngineResult } from './engine.ts'
import {
  damagedExitCode,
  diskFullCode,
  type ThreadAnswer,
  type ThreadError,
  type ThreadRequest,
  type ThreadResult,
} from './threadMessages.ts'

/** Omits the id, member by member of the union. */
type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never

interface Pending {
  resolve(result: ThreadResult): void
  reject(error: Error): void
}

/**
 * Opens the database of a folder in a thread of its own, so that neither a statement nor the disk ever stops
 * the live channel. Rejects when it cannot be opened.
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
      this.#worker.on('message', (answer: ThreadAnswer) => {
        if ('ready' in answer) resolve()
        else this.#settle(answer)
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

  #settle(answer: Exclude<ThreadAnswer, { ready: true }>) {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if ('error' in answer) pending?.reject(new EmbeddedDatabaseError(answer.error))
    else pending?.resolve(answer.result)
  }
}

/** An error of the database, as it was thrown in its thread. */
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

/** SQLSTATE 57P01 (shut down): whoever asked may ask again, of the process that comes after this one. */
class DatabaseThreadEnded extends Error {
  readonly code = '57P01'
}

/** The disk was full, or failed, while the log was written. Nothing that was acknowledged is lost. */
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

/** The bundle has its entry as a file of its own; the sources are TypeScript, which Node 20 leaves to tsx. */
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
