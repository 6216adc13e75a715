/** Most that is kept of each, in bytes as they come: hours of a page, and no burden for a browser. */
const mostBytes = 128 * 1024 * 1024

type Viewer = (chunk: ArrayBuffer) => void

/** Chunks in order, with their size. */
interface Kept {
  chunks: ArrayBuffer[]
  bytes: number
}

/**
 * What an agent sees of a page, as it comes: gzipped lists of rrweb's events. A viewer that is opened later
 * gets what there was since the view began; a recording keeps what came while it was allowed.
 */
export class PageStream {
  readonly #viewers = new Set<Viewer>()
  readonly #full: () => void
  #seen: Kept = nothing()
  #recorded: Kept = nothing()
  #seeing = false
  #recording = false

  /** Calls back when a recording is as large as it may become. */
  constructor(full: () => void) {
    this.#full = full
  }

  /** What was kept of the newest recording. */
  get recorded(): readonly ArrayBuffer[] {
    return this.#recorded.chunks
  }

  /** Whether the page may be seen, and recorded. Each begins with the whole page. */
  allow({ seen, recorded }: { seen: boolean; recorded: boolean }) {
    if (seen !== this.#seeing) this.#seen = nothing()
    this.#seeing = seen
    this.#recording = recorded
  }

  /** The next recording is another one. Without it, it goes on where the page was lost. */
  forgetRecording() {
    this.#recorded = nothing()
  }

  take(chunk: ArrayBuffer) {
    if (!this.#seeing) return
    keep(this.#seen, chunk)
    for (const viewer of this.#viewers) viewer(chunk)
    // A viewer that opens after that begins with the next whole page.
    if (this.#seen.bytes > mostBytes) this.#seen = nothing()
    if (!this.#recording) return
    keep(this.#recorded, chunk)
    if (this.#recorded.bytes > mostBytes) this.#full()
  }

  /** Hands over what there is and what comes, in order. Call the result to stop. */
  watch(viewer: Viewer): () => void {
    for (const chunk of this.#seen.chunks) viewer(chunk)
    this.#viewers.add(viewer)
    return () => this.#viewers.delete(viewer)
  }
}

function nothing(): Kept {
  return { chunks: [], bytes: 0 }
}

function keep(kept: Kept, chunk: ArrayBuffer) {
  kept.chunks.push(chunk)
  kept.bytes += chunk.byteLength
}
