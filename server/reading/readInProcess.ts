import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Log } from '../log.ts'
import type { CircuitInFile } from './circuitInFile.ts'
import {
  decodeResponse,
  type ReaderTask,
  type ReadRequest,
  type ReadResponse,
} from './readMessages.ts'

/**
 * Reading a recording of 256 MB takes up to 20 s; one that takes much longer is hostile. Rows of a CSV file take several
 * times its size in the heap. The bytes of the file are outside it.
 */
const recordingLimits = { timeoutMs: 60_000, maxHeapMb: 768 }

/** Reading a circuit of 1 MB takes up to 2 s. */
const circuitLimits = { timeoutMs: 10_000, maxHeapMb: 256 }

/** Exit code of Node after an uncaught error. */
const uncaughtError = 1

/** The positions of a recording take at most 12 MB. */
const maxOutputBytes = 32 * 1024 * 1024

/** An error and where it happened. */
const maxErrorBytes = 64 * 1024

/** Environment variables that Node itself may need to start. */
const passedOn = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'NODE_ICU_DATA']

/** Signals that stop the server and its child processes: the reader did not run out of memory. */
const stopSignals: unknown[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export interface ReadOptions {
  readonly log: Pick<Log, 'warn' | 'error'>
  /** Stops reading: its reason is thrown. */
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number
  readonly maxHeapMb?: number
  /** Starts another process instead. */
  readonly start?: () => ChildProcess
}

/** Reads a recording in a process of its own. */
export async function readInProcess(
  { bytes, ...settings }: ReadRequest,
  options: ReadOptions,
): Promise<ReadResponse> {
  const output = await outputFor({ reads: 'recording', ...settings }, bytes, {
    ...recordingLimits,
    ...options,
  })
  return typeof output === 'string' ? { refused: `recording-${output}` } : decodeResponse(output)
}

/** Reads a circuit from a GeoJSON or GPX file in a process of its own. */
export async function readCircuitInProcess(
  file: string,
  options: ReadOptions,
): Promise<CircuitInFile> {
  const output = await outputFor({ reads: 'circuit' }, Buffer.from(file), {
    ...circuitLimits,
    ...options,
  })
  return typeof output === 'string'
    ? { refused: `circuit-${output}` }
    : JSON.parse(output.toString())
}

/**
 * Returns the output of the process that reads a file, with limited time and memory. A file that needs more is `slow`,
 * one on which the reader fails is `unreadable`. Both are logged. A worker thread is not enough: when V8 runs out of
 * memory in a thread, it may abort the whole process.
 */
async function outputFor(
  task: ReaderTask,
  input: Uint8Array,
  { log, signal, timeoutMs, maxHeapMb, start }: ReadOptions & typeof circuitLimits,
): Promise<Buffer | 'slow' | 'unreadable'> {
  signal?.throwIfAborted()
  const context = { bytes: input.length, reads: task.reads }
  try {
    const child = start ? start() : startProcess(task, maxHeapMb)
    const { output, errors, code, by, stopped } = await resultOf(child, {
      input,
      timeoutMs,
      signal,
    })
    signal?.throwIfAborted()
    if (code === 0 && !stopped) return output
    if (code === uncaughtError || stopped === 'output') {
      log.error({ ...context, stopped, stderr: errors.toString() }, 'failed to read a file')
      return 'unreadable'
    }
    if (stopped === 'timeout') log.warn({ ...context, timeoutMs }, 'reading a file took too long')
    else if (stopSignals.includes(by)) log.warn({ ...context, by }, 'reading a file was stopped')
    else log.warn({ ...context, code, by }, 'reading a file needed too much memory')
    return 'slow'
  } catch (error) {
    signal?.throwIfAborted()
    // It could not be started.
    log.error({ err: error, ...context }, 'failed to read a file')
    return 'slow'
  }
}

interface Running {
  input: Uint8Array
  timeoutMs: number
  signal: AbortSignal | undefined
}

interface Result {
  output: Buffer
  errors: Buffer
  code: number | null
  /** The signal that ended the process. */
  by: NodeJS.Signals | null
  /** Why `resultOf` killed it; undefined if it was aborted or ended by itself. */
  stopped: 'timeout' | 'output' | undefined
}

/** Writes the input and waits for the process to exit. Kills it on timeout, on abort, and when the server exits. */
async function resultOf(
  child: ChildProcess,
  { input, timeoutMs, signal }: Running,
): Promise<Result> {
  // Before anything else, because an `error` event without a listener would end the server.
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const { stdin, stdout, stderr } = child
  // The pipes are missing if the server cannot open more files (EMFILE).
  if (!stdin || !stdout || !stderr) return await ended.then(() => Promise.reject(noPipes()))
  let stopped: Result['stopped']
  const kill = () => child.kill('SIGKILL')
  const stop = (why: Result['stopped']) => {
    stopped ??= why
    kill()
  }
  const timer = setTimeout(stop, timeoutMs, 'timeout')
  process.once('exit', kill)
  signal?.addEventListener('abort', kill)
  // A process that ends early does not read all of its input.
  stdin.on('error', () => undefined)
  stdin.end(input)
  try {
    const [output, errors, [code, by]] = await Promise.all([
      collect(stdout, maxOutputBytes, () => stop('output')),
      collect(stderr, maxErrorBytes, () => stop('output')),
      ended,
    ])
    return { output, errors, code, by, stopped }
  } finally {
    // It still runs if its output could not be received.
    kill()
    clearTimeout(timer)
    process.off('exit', kill)
    signal?.removeEventListener('abort', kill)
  }
}

function noPipes(): Error {
  return new Error('The process that reads files needs pipes.')
}

/** Returns the beginning of an output. Calls `onMore` if it is longer than `maxBytes`. */
async function collect(stream: Readable, maxBytes: number, onMore: () => void): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= maxBytes) parts.push(part)
    else onMore()
  }
  return Buffer.concat(parts)
}

/**
 * Starts the process: in a build from a separate file, else from TypeScript, for which Node 20 needs tsx. It gets none
 * of the server's settings, which contain secrets.
 */
function startProcess(task: ReaderTask, maxHeapMb: number): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = isSource ? './readProcessFromSource.mjs' : './readProcess.js'
  const names = isSource ? [...passedOn, 'BUNDLED_THREADS'] : passedOn
  const env = Object.fromEntries(
    names.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${maxHeapMb}`,
      fileURLToPath(new URL(entry, import.meta.url)),
      JSON.stringify({ ...task, serverId: process.pid }),
    ],
    { env },
  )
}
