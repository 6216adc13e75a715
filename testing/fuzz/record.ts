/** What became of the inputs of one border. */
export interface Counts {
  tried: number
  /** Refused, ignored, or answered by closing the connection. */
  refused: number
  accepted: number
  /** Refused only because there were too many. Part of `refused`. */
  limited: number
  serverErrors: number
}

/** Something that must not happen, with the input that made it happen as far as that is known. */
export interface Violation {
  border: string
  what: string
  input: string
}

/** Counts what is tried, and collects what must not happen. */
export class FuzzRecord {
  readonly counts = new Map<string, Counts>()
  readonly violations: Violation[] = []
  uncaught = 0
  /** Comparisons of everything stored, and of what was refused or belongs to others. */
  stateChecks = 0

  of(border: string): Counts {
    const known = this.counts.get(border)
    if (known) return known
    const made = { tried: 0, refused: 0, accepted: 0, limited: 0, serverErrors: 0 }
    this.counts.set(border, made)
    return made
  }

  violate(border: string, what: string, input: unknown = '') {
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    this.violations.push({ border, what, input: text.slice(0, 2000) })
  }

  get tried(): number {
    return [...this.counts.values()].reduce((sum, { tried }) => sum + tried, 0)
  }

  get refused(): number {
    return [...this.counts.values()].reduce((sum, { refused }) => sum + refused, 0)
  }
}
