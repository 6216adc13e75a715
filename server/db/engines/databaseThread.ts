// The worker thread of the embedded database. `workerData` is its folder.
import { parentPort, workerData } from 'node:worker_threads'
import { bytea } from '../schema/columnTypes.ts'
import { openPglite } from './openPglite.ts'
import { PreparedStatements } from './preparedStatements.ts'
import { StorageGuard } from './storageGuard.ts'
import {
  damagedExitCode,
  diskFullCode,
  type ThreadError,
  type ThreadRequest,
  type ThreadResponse,
  type ThreadResult,
} from './threadMessages.ts'

if (!parentPort) throw new Error('The database thread must run as a worker thread.')
const port = parentPort
/** SQLSTATE read_only_sql_transaction: occurs here only while the disk is nearly full. */
const readOnlyCode = '25006'

const directory = String(workerData)
let isDamaged = false
const pglite = await openPglite(directory, () => {
  isDamaged = true
})
const guard = new StorageGuard(directory, pglite)
const statements = new PreparedStatements(pglite)

port.on('message', (request: ThreadRequest) => void answer(request))
send({ ready: true })

async function answer(request: ThreadRequest) {
  const { id } = request
  try {
    if ('close' in request) {
      await pglite.close()
      send({ id, result: { rows: [], command: undefined, rowCount: undefined, byteColumns: [] } })
      port.close()
    } else {
      await guard.check()
      send({ id, result: await run(request.run, request.parameters) })
    }
  } catch (error) {
    const known = asThreadError(error)
    const isFull = isDamaged || (guard.isLow && known.code === readOnlyCode)
    send({ id, error: isFull ? { ...known, code: diskFullCode } : known })
  }
  // PostgreSQL would panic and recover from its log. PGlite cannot: a new thread is needed.
  if (isDamaged) process.exit(damagedExitCode)
}

async function run(statement: string, parameters: readonly unknown[]): Promise<ThreadResult> {
  const results =
    parameters.length > 0
      ? [await statements.run(statement, parameters)]
      : await pglite.exec(statement)
  const [only] = results
  if (!only || results.length > 1)
    return { rows: [], command: undefined, rowCount: undefined, byteColumns: [] }
  const { rows, command, rowCount, fields } = only
  const byteColumns = fields.filter(field => field.dataTypeID === bytea).map(({ name }) => name)
  return { rows, command, rowCount, byteColumns }
}

function send(message: ThreadResponse) {
  port.postMessage(message)
}

function asThreadError(error: unknown): ThreadError {
  const known = error instanceof Error ? error : new Error(String(error))
  return {
    message: known.message,
    stack: known.stack,
    code: textOf(known, 'code'),
    detail: textOf(known, 'detail'),
    constraint: textOf(known, 'constraint'),
  }
}

function textOf(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' ? value : undefined
}
