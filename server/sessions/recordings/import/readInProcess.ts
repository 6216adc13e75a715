import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../../log.ts'
import { decodeResponse, type ReadRequest, type ReadResponse } from './readMessages.ts'

/** Reading 256 MB takes up to 20 s. A file that takes much longer is hostile. */
const longestMs = 60_000

/** Heap of the process: rows of a CSV file take several times its size. The bytes of the file are outside it. */
const usualHeapMb = 768

/** Exit code of Node after an uncaught error. */
const uncaughtError = 1

export interface ReadOptions {
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly timeoutMs?: number
  readonly maxHeapMb?: number
  /** Starts another process instead. */
  readonly start?: () => ChildProcess
}

/**
 * Reads a recording in a process of its own, with limited time and memory. A file that needs more is refused; one on
 * which the reader fails counts as unreadable. Both are logged. A thread would not do: when V8 cannot allocate memory in
 * a thread, it may end the whole process.
 */
export async function readInProcess(
  request: ReadRequest,
  { log, timeoutMs = longestMs, maxHeapMb = usualHeapMb, start }: ReadOptions,
): Promise<ReadResponse> {
  const bytes = request.bytes.length
  const child = start ? start() : startProcess(request, maxHeapMb)
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr)
    throw new Error('The process that reads recordings needs pipes.')
  // A process that ends early does not read all of its input.
  stdin.on('error', () => undefined)
  stdin.end(request.bytes)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    kill()
  }, timeoutMs)
  try {
    const [output, errors, [code, signal]] = await Promise.all([
      buffer(stdout),
      text(stderr),
      once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>,
    ])
    if (code === 0) return decodeResponse(output)
    if (isSlow) log.warn({ bytes, timeoutMs }, 'reading a recording took too long')
    else if (code === uncaughtError) {
      log.error({ bytes, stderr: errors }, 'failed to read a recording')
      return { refused: 'recording-unreadable' }
    } else log.warn({ bytes, code, signal }, 'reading a recording needed too much memory')
    return { refused: 'recording-slow' }
  } catch (error) {
    // It could not be started.
    log.error({ err: error, bytes }, 'failed to read a recording')
    return { refused: 'recording-slow' }
  } finally {
    clearTimeout(timer)
    process.off('exit', kill)
  }
}

/**
 * Starts the process: in a build from a separate file, else from TypeScript, for which Node 20 needs tsx. It gets none
 * of the server's settings, which contain secrets.
 */
function startProcess({ dayMs, nowMs }: ReadRequest, maxHeapMb: number): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = isSource ? './readProcessFromSource.mjs' : './readProcess.js'
  const { BUNDLED_THREADS } = process.env
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${maxHeapMb}`,
      fileURLToPath(new URL(entry, import.meta.url)),
      JSON.stringify({ dayMs, nowMs }),
    ],
    { env: isSource && BUNDLED_THREADS ? { BUNDLED_THREADS } : {} },
  )
}
