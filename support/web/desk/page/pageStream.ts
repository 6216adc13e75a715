/** Limit of each buffer, in packed bytes: hours of a page, and harmless for a browser. */
const maxBytes = 128 * 1024 * 1024

type Viewer = (chunk: ArrayBuffer) => void

/** Chunks in order, with their total size. */
interface ChunkBuffer {
  chunks: ArrayBuffer[]
  bytes: number
}

/**
 * The stream of a visitor's page: gzipped lists of rrweb events. A late viewer first receives
 * everything since the view began; a recording buffers the events that arrive while it is allowed.
 */
export class PageStream {
  readonly #viewers = new Set<Viewer>()
  readonly #full: () => void
  #seen: ChunkBuffer = emptyBuffer()
  #recorded: ChunkBuffer = emptyBuffer()
  #seeing = false
  #recording = false

  /** Calls `full` when a recording reaches its maximum size. */
  constructor(full: () => void) {
    this.#full = full
  }

  /** The buffered chunks of the newest recording. */
  get recorded(): readonly ArrayBuffer[] {
    return this.#recorded.chunks
  }

  /** Sets whether the page may be seen and recorded. Both start with a full snapshot. */
  allow({ seen, recorded }: { seen: boolean; recorded: boolean }) {
    if (seen !== this.#seeing) this.#seen = emptyBuffer()
    this.#seeing = seen
    this.#recording = recorded
  }

  /** Starts a new recording. Without it, a recording continues after a reconnect of the page. */
  forgetRecording() {
    this.#recorded = emptyBuffer()
  }

  take(chunk: ArrayBuffer) {
    if (!this.#seeing) return
    append(this.#seen, chunk)
    for (const viewer of this.#viewers) viewer(chunk)
    // Viewers that open later start with the next full snapshot.
    if (this.#seen.bytes > maxBytes) this.#seen = emptyBuffer()
    if (!this.#recording) return
    append(this.#recorded, chunk)
    if (this.#recorded.bytes > maxBytes) this.#full()
  }

  /** Passes buffered and future chunks to a viewer, in order. Returns the unsubscribe function. */
  watch(viewer: Viewer): () => void {
    for (const chunk of this.#seen.chunks) viewer(chunk)
    this.#viewers.add(viewer)
    return () => this.#viewers.delete(viewer)
  }
}

function emptyBuffer(): ChunkBuffer {
  return { chunks: [], bytes: 0 }
}

function append(buffer: ChunkBuffer, chunk: ArrayBuffer) {
  buffer.chunks.push(chunk)
  buffer.bytes += chunk.byteLength
}
