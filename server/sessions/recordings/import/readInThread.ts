import { Worker } from 'node:worker_threads'
import type { ReadRequest, ReadResponse } from './readMessages.ts'

/** Reading 64 MB takes some seconds. A file that takes longer is hostile. */
const longestMs = 30_000

/** Memory of the thread, in MB: rows of a CSV file take several times its size. */
const maxHeapMb = 768

/**
 * Reads a recording in a thread of its own, with limited time and memory. A file that needs more, or on which the
 * reader fails, counts as unreadable. The bytes are moved to the thread: do not use them afterwards.
 */
export async function readInThread(
  request: ReadRequest,
  timeoutMs = longestMs,
): Promise<ReadResponse> {
  const worker = startWorker(request)
  const unreadable: ReadResponse = { refused: 'recording-unreadable' }
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ReadResponse>(resolve => {
      timer = setTimeout(() => resolve(unreadable), timeoutMs)
      worker.once('message', resolve)
      // Out of memory, or a bug of the reader.
      worker.once('error', () => resolve(unreadable))
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
