import { Worker } from 'node:worker_threads'
import type { Log } from '../../../log.ts'
import type { ReadRequest, ReadResponse } from './readMessages.ts'

/** Reading 256 MB takes up to 20 s. A file that takes much longer is hostile. */
const longestMs = 60_000

/** Memory of the thread, in MB: rows of a CSV file take several times its size. */
const maxHeapMb = 768

/**
 * Reads a recording in a thread of its own, with limited time and memory. A file that needs more is refused; one on
 * which the reader fails counts as unreadable. Both are logged. The bytes are moved to the thread: do not use them
 * afterwards.
 */
export async function readInThread(
  request: ReadRequest,
  { log, timeoutMs = longestMs }: { log: Pick<Log, 'warn' | 'error'>; timeoutMs?: number },
): Promise<ReadResponse> {
  const bytes = request.bytes.length
  const worker = startWorker(request)
  const unreadable: ReadResponse = { refused: 'recording-unreadable' }
  const slow: ReadResponse = { refused: 'recording-slow' }
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ReadResponse>(resolve => {
      timer = setTimeout(() => {
        log.warn({ bytes, timeoutMs }, 'reading a recording took too long')
        resolve(slow)
      }, timeoutMs)
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          log.warn({ bytes }, 'reading a recording needed too much memory')
        else log.error({ err: error, bytes }, 'failed to read a recording')
        resolve(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? slow : unreadable)
      })
      worker.once('exit', () => resolve(unreadable))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

/** Starts the thread: in a build from a separate file, else from TypeScript, for which Node 20 needs tsx. */
function startWorker(request: ReadRequest): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = isSource ? './readThreadFromSource.mjs' : './readThread.js'
  return new Worker(new URL(entry, import.meta.url), {
    execArgv: [],
    workerData: request,
    transferList: [request.bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
}
