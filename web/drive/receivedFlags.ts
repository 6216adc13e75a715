import type { GlassFlag } from '#contract/glass.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { handFlagLastsMs } from '#racing/timing/byHand.ts'
import { type EnteredFlag, type SeenFlag, withSeen } from '#racing/timing/flagPeriods.ts'

/** Official flags that are kept: a lap has few. */
const mostFlags = 50

/** The official flags that the phone has received: those of a source, and those that were entered by hand. */
export class ReceivedFlags {
  seen: readonly SeenFlag[] = []
  entered: readonly EnteredFlag[] = []
  #change = ''

  /** Adds the flag of the glass; null if it is not known. Returns whether laps may change, which is not each second. */
  add(flag: GlassFlag | null, nowMs: number): boolean {
    if (flag?.byHand === undefined) {
      const areUndone = this.#removeUndone(flag?.seenAt ?? Number.NEGATIVE_INFINITY, nowMs)
      return (flag !== null && this.#addSeen(flag)) || areUndone
    }
    const at = flag.enteredAt ?? flag.since
    if (this.entered.at(-1)?.at === at) return false
    // A green that is too old for the glass has no word.
    const entry = { flag: flag.flag ?? 'Green', at }
    this.entered = [...this.entered.filter(each => each.at < at), entry].slice(-mostFlags)
    return true
  }

  /** An entry that is newer than a silent source is on the glass until it is undone, or its time is over. */
  #removeUndone(silentSinceMs: number, nowMs: number): boolean {
    if (nowMs - silentSinceMs <= silentFeedMs) return false
    const counting = this.entered.filter(
      ({ flag, at }) => at <= silentSinceMs || nowMs - at > handFlagLastsMs(flag),
    )
    const areUndone = counting.length < this.entered.length
    this.entered = counting
    return areUndone
  }

  #addSeen({ feed, change, flag, since, seenAt }: GlassFlag): boolean {
    const before = this.seen.at(-1)
    const known = `${feed} ${change}`
    const fromMs = known === this.#change ? seenAt : since
    this.#change = known
    const next = withSeen(before, { flag, fromMs, seenMs: seenAt })
    if (!next || next.seenMs === before?.seenMs) return false
    const goesOn = next.fromMs === before?.fromMs
    this.seen = [...(goesOn ? this.seen.slice(0, -1) : this.seen), next].slice(-mostFlags)
    return !goesOn || next.seenMs - before.seenMs > silentFeedMs
  }
}
