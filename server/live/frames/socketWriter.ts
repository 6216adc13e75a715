import type { Duplex } from 'node:stream'
import type { Frame } from '../rooms/frame.ts'
import { binding, handleOf, type SocketHandle, type WriteRequest } from './socketHandle.ts'

/** Node encodes a text up to this size on the stack, and allocates memory for a longer one (`StreamBase::WriteString`). */
const maxDirectBytes = 16 * 1024

// Shared by all sockets, and replaced once a queued write keeps it.
let request = binding && new binding.WriteWrap()

/**
 * Writes frames to a socket that `ws` has opened. While none of its frames is queued, it passes a frame directly to the
 * socket's handle, which skips Node's streams. A frame that the kernel does not accept at once is queued in the handle,
 * and later ones in the stream. The stream writes to the same handle, so the frames stay in order. Control frames that
 * `ws` writes to the stream stay in order too, with one exception: a direct frame may overtake one that is queued in the
 * stream.
 *
 * The handle is not a public part of Node: where it is missing, every frame is written to the stream. A direct write does
 * not restart the timeout of `socket.setTimeout`, which `ws` turns off. See docs/decisions/0014-frames-bypass-streams.md.
 */
export class SocketWriter {
  readonly #stream: Duplex
  readonly #handle: SocketHandle | undefined
  /**
   * False while none of our frames is queued or held. Spares asking the stream, which takes longer. True at first, because
   * the upgrade may be queued behind the response to a request before it.
   */
  #usesStream = true
  /** Size of a frame that the handle has queued. */
  #queuedBytes = 0

  constructor(stream: Duplex) {
    this.#stream = stream
    this.#handle = handleOf(stream)
  }

  /**
   * Bytes that the kernel has not accepted yet. A frame queued in the handle counts in full. Control frames of `ws` count
   * only while another frame is queued.
   */
  get backlogBytes(): number {
    return this.#usesStream ? this.#stream.writableLength + this.#queuedBytes : 0
  }

  /** Writes or queues a frame. Call it only while the WebSocket is open. */
  write(frame: Frame) {
    if (this.#usesStream) this.#usesStream = this.#mustUseStream()
    if (!this.#usesStream && this.#writeDirectly(frame)) return
    this.#usesStream = true
    this.#stream.write(frame)
  }

  /** Buffers frames until `release`. */
  hold() {
    this.#usesStream = true
    this.#stream.cork()
  }

  /** Sends the frames that were buffered since `hold`. */
  release() {
    this.#stream.uncork()
  }

  #mustUseStream(): boolean {
    return !this.#handle || this.backlogBytes > 0 || this.#stream.writableCorked > 0
  }

  /** Returns false if nothing was written. After an error the same write to the stream fails too, and reports it. */
  #writeDirectly(frame: Frame): boolean {
    if (!binding || !request || !this.#handle || frame.length > maxDirectBytes) return false
    if (this.#handle.writeLatin1String(request, latin1Of(frame)) !== 0) return false
    if (binding.streamBaseState[binding.kLastWriteWasAsync] !== 0) {
      this.#onQueued(frame, request)
      request = new binding.WriteWrap()
    }
    return true
  }

  #onQueued(frame: Frame, used: WriteRequest) {
    this.#usesStream = true
    this.#queuedBytes = frame.length
    used.oncomplete = status => {
      this.#queuedBytes = 0
      if (status < 0) this.#stream.destroy()
    }
  }
}

let lastFrame: Frame | undefined
let lastLatin1 = ''

/** Converts each byte to a character. A frame for many sockets is converted once. */
function latin1Of(frame: Frame): string {
  if (frame !== lastFrame) {
    lastFrame = frame
    lastLatin1 = frame.toString('latin1')
  }
  return lastLatin1
}
