import type { Duplex } from 'node:stream'
import { binding, handleOf, type SocketHandle } from './socketHandle.ts'

/** Node reads up to this many bytes at once. */
const mostAtOnce = 64 * 1024

/** Sockets are read one at a time, so they share a buffer. */
const shared = Buffer.allocUnsafeSlow(mostAtOnce)

type Take<Target> = (target: Target, bytes: Buffer, length: number) => number

/** The direct reads of one socket. */
class DirectReads<Target> {
  readonly stream: Duplex
  /** Node's own function, which passes bytes to the stream. */
  readonly passOn: SocketHandle['onread']
  readonly #target: Target
  readonly #take: Take<Target>
  /** False once bytes were passed to the stream. */
  isDirect = true

  constructor(stream: Duplex, handle: SocketHandle, target: Target, take: Take<Target>) {
    this.stream = stream
    this.passOn = handle.onread
    this.#target = target
    this.#take = take
  }

  /** Returns how many of the first `length` bytes of the shared buffer were handled. */
  take(length: number): number {
    return this.#take(this.#target, shared, length)
  }
}

const directReads = Symbol('direct reads')

/** A handle with its reads, so that all handles share one `onread`: a closure for each would take more memory. */
type ReadHandle = SocketHandle & {
  [directReads]?: Pick<DirectReads<never>, 'stream' | 'passOn' | 'isDirect' | 'take'>
}

/**
 * Passes the bytes that a socket receives to `take`, without Node's streams, which create a buffer, an array buffer and
 * an event for each read. `take` gets the target, a shared buffer, whose content is only valid during the call, and the
 * number of bytes in it. It returns the number of bytes that it has handled. The other bytes and all later ones are
 * passed to the stream, and so are errors and the end of the connection.
 *
 * Returns false and does nothing if the stream is not a plain socket, or has already buffered bytes. A direct read does
 * not restart the timeout of `socket.setTimeout`, which `ws` turns off. See docs/decisions/0014-frames-bypass-streams.md.
 */
export function readDirectly<Target>(stream: Duplex, target: Target, take: Take<Target>): boolean {
  const handle: ReadHandle | undefined = handleOf(stream)
  if (!handle || stream.readableLength > 0) return false
  handle[directReads] = new DirectReads(stream, handle, target, take)
  handle.onread = onread
  handle.useUserBuffer(shared)
  return true
}

function onread(this: ReadHandle, bytes?: ArrayBuffer) {
  const reads = this[directReads]
  if (!binding || !reads) return
  const { streamBaseState, kReadBytesOrError } = binding
  const length = streamBaseState[kReadBytesOrError] ?? 0
  if (length <= 0) return reads.passOn.call(this, bytes)
  const start = reads.isDirect ? reads.take(length) : 0
  if (start === length || reads.stream.destroyed) return
  reads.isDirect = false
  // The stream keeps its bytes: they must not be in the shared buffer.
  streamBaseState[kReadBytesOrError] = length - start
  reads.passOn.call(this, shared.buffer.slice(start, length))
}
