import type { Duplex } from 'node:stream'
import { binding, handleOf } from './socketHandle.ts'

/** Node reads up to this many bytes at once. */
const mostAtOnce = 64 * 1024

/** Sockets are read one at a time, so they share a buffer. */
const shared = Buffer.allocUnsafeSlow(mostAtOnce)

/**
 * Passes the bytes that a socket receives to `take`, without Node's streams, which create a buffer, an array buffer and
 * an event for each read. `take` gets a shared buffer, whose content is only valid during the call, and the number of
 * bytes in it. It returns the number of bytes that it has handled. The other bytes and all later ones are passed to the
 * stream, and so are errors and the end of the connection.
 *
 * Returns false and does nothing if the stream is not a plain socket, or has already buffered bytes. A direct read does
 * not restart the timeout of `socket.setTimeout`, which `ws` turns off. See docs/decisions/0014-frames-bypass-streams.md.
 */
export function readDirectly(
  stream: Duplex,
  take: (bytes: Buffer, length: number) => number,
): boolean {
  const handle = handleOf(stream)
  if (!handle || !binding || stream.readableLength > 0) return false
  const { streamBaseState, kReadBytesOrError } = binding
  const { onread } = handle
  let isDirect = true
  handle.onread = bytes => {
    const length = streamBaseState[kReadBytesOrError] ?? 0
    if (length <= 0) return onread.call(handle, bytes)
    const start = isDirect ? take(shared, length) : 0
    if (start === length || stream.destroyed) return
    isDirect = false
    // The stream keeps its bytes: they must not be in the shared buffer.
    streamBaseState[kReadBytesOrError] = length - start
    onread.call(handle, shared.buffer.slice(start, length))
  }
  handle.useUserBuffer(shared)
  return true
}
