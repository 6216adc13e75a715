import { maxLineLetters, maxLinesOfBatch } from '#contract/shared/timingRules.ts'

/** Bytes of a source between two stores. The whole field, sent at once, has a quarter of them. */
export const maxWaitingBytes = 256 * 1024

/** Splits the bytes of a source into lines. */
export class ReceivedLines {
  readonly #decoder = new TextDecoder()
  #lines: string[] = []
  #rest = ''
  #bytes = 0

  /** True if the source should wait until the lines are stored. */
  get isFull(): boolean {
    return this.#bytes > maxWaitingBytes
  }

  add(data: Uint8Array) {
    // Bytes without a line in them take time, too.
    this.#bytes += data.byteLength
    const lines = (this.#rest + this.#decoder.decode(data, { stream: true })).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    // A line without an end is cut here; the feed counts its parts as unreadable.
    if (this.#rest.length > maxLineLetters) {
      lines.push(this.#rest)
      this.#rest = ''
    }
    for (const line of lines) if (line !== '') this.#lines.push(line.slice(0, maxLineLetters))
  }

  /** Removes and returns the oldest lines, as many as one batch may have. */
  take(): string[] {
    const taken = this.#lines.splice(0, maxLinesOfBatch)
    if (this.#lines.length === 0) this.#bytes = 0
    return taken
  }
}
