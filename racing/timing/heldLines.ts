import { endedRun, type RMonitorLine } from './rmonitorLine.ts'

/** Far above the size of real feeds. Further lines are read at once. */
const mostLines = 10_000

/** Lines of the order since a reset, until the feed names the run: it may be another one. */
export class HeldLines {
  /** Null: no reset. */
  #lines: RMonitorLine[] | null = null
  /** The end of the run since the reset, which counts after the lines. */
  #end: (RMonitorLine & { command: 'run' }) | null = null

  /** Holds lines from here on, until they are taken. */
  begin() {
    this.#lines ??= []
  }

  /** Returns false for a line that is read at once. */
  hold(line: RMonitorLine): boolean {
    if (!this.#lines) return false
    if (line.command === 'run') {
      if (line.id === endedRun) this.#end = line
      return line.id === endedRun
    }
    const isOfOrder =
      line.command === 'position' || line.command === 'best' || line.command === 'passing'
    if (!isOfOrder || this.#lines.length >= mostLines) return false
    this.#lines.push(line)
    return true
  }

  /** Removes and returns the lines, and ends holding. */
  take(): readonly RMonitorLine[] {
    const lines = this.#lines ?? []
    this.#lines = null
    return lines
  }

  /** Removes and returns the end of the run; null without one. */
  takeEnd() {
    const end = this.#end
    this.#end = null
    return end
  }

  /** True if no car of the lines has fewer laps than before the reset. */
  goesOn(lapsBefore: (id: string) => number): boolean {
    return (this.#lines ?? []).every(
      line => line.command !== 'position' || (line.laps ?? 0) >= lapsBefore(line.id),
    )
  }
}
