import type { ExpectedLoss, GhostStop, GhostStops } from '#racing/timing/ghostStop.ts'
import { minutesText } from '#web/race/plan/fieldTimes.ts'
import { timingText } from '#web/text/timing.ts'

/** Returns the ghost under the flag that is shown now; null if it is not known. */
export function ghostNow({ now, ...ghosts }: GhostStops): GhostStop | null {
  return now && ghosts[now]
}

/** The place as `P7`, or as `P6\u20138` if the uncertainty of the stop spans several. */
export function placesText({ best, worst }: GhostStop): string {
  return timingText.places(best, worst)
}

/** The car ahead after the stop, such as `14 s behind 382`. */
export function behindText({ behind }: GhostStop): string {
  if (behind === null) return timingText.inTheLead
  const { number, ms } = behind
  const gap = ms === null ? null : ms < 60_000 ? `${Math.round(ms / 1000)} s` : minutesText(ms)
  return timingText.behind(gap, number ?? '?')
}

/** The time that a stop costs, such as `1:34 \u00b13 s`. */
export function lossText(loss: ExpectedLoss | null): string {
  if (loss === null) return timingText.notKnown
  return timingText.stopCost(minutesText(loss.ms), String(Math.ceil(loss.plusMinusMs / 1000)))
}
