import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The major versions of Node whose handles were tested. On others every socket is used through its stream. */
const testedVersions = [20, 22, 24]

/** A pending write of Node's C++ streams. They keep it only if the kernel does not accept all bytes at once. */
export interface WriteRequest {
  /** Called once the queued bytes were written; a negative status is an error. */
  oncomplete: ((status: number) => void) | undefined
}

/** The part of a socket's handle that is used here. It is not a public part of Node. */
export interface SocketHandle {
  /** Returns 0, or the negative number of an error. */
  writeLatin1String(request: WriteRequest, text: string): number
  /** Reads into this buffer from now on, instead of into a new one each time. */
  useUserBuffer(buffer: Buffer): void
  /**
   * Called after each read, with the number of bytes in `streamBaseState`, or an error or the end as a negative number.
   * The bytes are in the argument, unless a user buffer is used.
   */
  onread: (bytes?: ArrayBuffer) => void
}

interface StreamBinding {
  WriteWrap: new () => WriteRequest
  /** State of the last read and write. */
  streamBaseState: Int32Array
  /** Index in `streamBaseState`: not 0 if the kernel did not accept all bytes. */
  kLastWriteWasAsync: number
  /** Index in `streamBaseState`: the number of bytes read, or a negative number. */
  kReadBytesOrError: number
}

/** Null on an untested version of Node, and if a part used here is missing. */
export const binding: StreamBinding | null = findBinding()

/** Returns undefined unless the stream is a plain socket: TLS must encrypt frames, and other streams may write later. */
export function handleOf(stream: Duplex): SocketHandle | undefined {
  if (!binding || Object.getPrototypeOf(stream) !== Socket.prototype) return undefined
  const { _handle: handle } = stream as Socket & { _handle?: SocketHandle | null }
  const isComplete =
    typeof handle?.writeLatin1String === 'function' &&
    typeof handle.useUserBuffer === 'function' &&
    typeof handle.onread === 'function'
  return isComplete ? handle : undefined
}

function findBinding(): StreamBinding | null {
  if (!testedVersions.includes(Number.parseInt(process.versions.node, 10))) return null
  const { binding: load } = process as { binding?: (name: string) => Partial<StreamBinding> }
  try {
    // Throws under Node's permission model.
    const { WriteWrap, streamBaseState, kLastWriteWasAsync, kReadBytesOrError } =
      load?.('stream_wrap') ?? {}
    const isComplete =
      typeof WriteWrap === 'function' &&
      typeof kLastWriteWasAsync === 'number' &&
      typeof kReadBytesOrError === 'number' &&
      typeof streamBaseState?.[kLastWriteWasAsync] === 'number' &&
      typeof streamBaseState[kReadBytesOrError] === 'number'
    return isComplete ? { WriteWrap, streamBaseState, kLastWriteWasAsync, kReadBytesOrError } : null
  } catch {
    return null
  }
}
