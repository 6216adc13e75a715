/** Results of the inputs at one interface. */
export interface Counts {
  tried: number
  /** Refused or ignored, or the connection was closed. */
  refused: number
  accepted: number
  /** Refused by a rate limit; included in `refused`. */
  limited: number
  serverErrors: number
}

/** A violated rule, with its input if known. */
export interface Violation {
  entryPoint: string
  what: string
  input: string
}

/** Inputs that are read without a server. Case N of a seed is the first one of seed + N. */
export interface FuzzCases {
  readonly seed: number
  readonly cases: number
  readonly onCase?: (tried: number) => void
}

/** Counts inputs and collects violations. */
export class FuzzRecord {
  readonly counts = new Map<string, Counts>()
  readonly violations: Violation[] = []
  uncaught = 0
  /** Number of comparisons of the database before and after refused inputs, and of the foreign team's data. */
  stateChecks = 0

  of(entryPoint: string): Counts {
    const known = this.counts.get(entryPoint)
    if (known) return known
    const made = { tried: 0, refused: 0, accepted: 0, limited: 0, serverErrors: 0 }
    this.counts.set(entryPoint, made)
    return made
  }

  /**
   * Reads one input, in at most `longestMs` of the processor. `read` returns whether it was accepted, and throws if a rule
   * is violated.
   */
  try(entryPoint: string, input: string, longestMs: number, read: () => boolean) {
    const counts = this.of(entryPoint)
    counts.tried += 1
    const started = process.cpuUsage()
    try {
      if (read()) counts.accepted += 1
      else counts.refused += 1
    } catch (error) {
      const what = error instanceof Error ? `${error.stack}` : String(error)
      this.violate(entryPoint, what, input)
    }
    const tookMs = process.cpuUsage(started).user / 1000
    if (tookMs > longestMs) this.violate(entryPoint, `took ${Math.round(tookMs)} ms`, input)
  }

  violate(entryPoint: string, what: string, input: unknown = '') {
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    this.violations.push({ entryPoint, what, input: text.slice(0, 2000) })
  }

  get tried(): number {
    return [...this.counts.values()].reduce((sum, { tried }) => sum + tried, 0)
  }

  get refused(): number {
    return [...this.counts.values()].reduce((sum, { refused }) => sum + refused, 0)
  }
}
