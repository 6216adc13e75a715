import { isRecord } from '#client/textStore.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import type { RacingFix } from '#racing/fix.ts'
import { PitExit, racingKmhOf } from '#racing/laps/pitExit.ts'
import type { PitStop } from '#racing/laps/stops.ts'
import { mergedVisits } from '#racing/race/stopClock.ts'

/** The car's visits to the pits: of the server, stored by an earlier page, and found by this page. */
export class DriveVisits {
  #server: readonly PitVisit[] = []
  #stored: readonly PitVisit[]
  readonly #exit = new PitExit()
  #all: readonly PitVisit[] = []

  constructor(stored: readonly PitVisit[]) {
    this.#stored = stored
    this.#all = stored
  }

  /** In order of time; the last one has no end while the car is in the pits. */
  get all(): readonly PitVisit[] {
    return this.#all
  }

  /** Sets the visits that the server knows. */
  setServer(visits: readonly PitVisit[]) {
    this.#server = visits
  }

  /** Forgets the visits stored by an earlier page: the positions were deleted. */
  forget() {
    this.#stored = []
  }

  follow({ atMs, speedMps }: RacingFix) {
    if (speedMps !== null) this.#exit.add(atMs, speedMps * kmhPerMps, racingKmhOf(null))
  }

  /** Combines them with the visits that this page found. Returns whether any visit changed. */
  update(own: readonly PitStop[]): boolean {
    const found = own.map(visitOf)
    const last = this.#merged(found).at(-1)
    const isOwn = found.some(({ endedAt }) => endedAt === null)
    // A page that was opened in the pits has not seen the car enter them, so it does not find its exit.
    const leftAtMs = this.#exit.leftAtMs
    if (last?.endedAt === null && !isOwn && leftAtMs !== null && leftAtMs > last.startedAt)
      this.#stored = [
        ...this.#stored.filter(({ startedAt }) => startedAt < last.startedAt),
        { ...last, endedAt: Math.round(leftAtMs) },
      ]
    const known = this.#merged(found)
    const text = JSON.stringify(known)
    if (text === JSON.stringify(this.#all)) return false
    this.#all = known
    return true
  }

  #merged(own: readonly PitVisit[]): PitVisit[] {
    return mergedVisits(this.#server, mergedVisits(this.#stored, own))
  }
}

function visitOf({ startedAtMs, endedAtMs, stoppedAtMs, leftAtMs }: PitStop): PitVisit {
  return {
    startedAt: Math.round(startedAtMs),
    endedAt: rounded(endedAtMs),
    stoppedAt: rounded(stoppedAtMs),
    leftAt: rounded(leftAtMs),
  }
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}

/** Checks a visit that an earlier page stored. */
export function isVisit(value: unknown): value is PitVisit {
  return (
    isRecord(value) &&
    Number.isFinite(value.startedAt) &&
    [value.endedAt, value.stoppedAt, value.leftAt].every(
      each => each === null || Number.isFinite(each),
    )
  )
}
