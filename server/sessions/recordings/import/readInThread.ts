import { Worker } from 'node:worker_threads'
import type { ReadRequest, ReadResponse } from './readMessages.ts'

/** Reading 64 MB takes some seconds. Longer, the file is made to take long. */
const longestMs = 30_000

/** Memory of the thread, in MB: rows of a CSV file take several times its size. */
const maxHeapMb = 768

/**
 * Reads a recording in a thread of its own, with limited time and memory. A file that needs more, or on which the reader
 * fails, counts as unreadable. The bytes are moved to the thread: do not use them afterwards.
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

/** The build has the entry as a separate file; the sources are TypeScript, which Node 20 needs tsx for. */
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
