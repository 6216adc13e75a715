import type { ImportedRecording } from '#contract/sessions/positions.ts'
import { recordingsText } from '#web/text/team/recordings.ts'

/** Returns what became of an imported recording, in sentences. */
export function importedText(
  { positions, isNew, positionsStay, keptPerSecond, lapTimingChanged }: ImportedRecording,
  lapTiming: boolean,
): string {
  if (!isNew) {
    const change = lapTiming ? recordingsText.timedAgain : recordingsText.timedNoMore
    return lapTimingChanged ? `${recordingsText.known} ${change}` : recordingsText.known
  }
  const kept = keptText(whole.format(positions), { positionsStay, lapTiming })
  if (keptPerSecond === null || kept === recordingsText.nothing) return kept
  return `${kept} ${recordingsText.thinned(keptPerSecond)}`
}

function keptText(count: string, is: { positionsStay: boolean; lapTiming: boolean }): string {
  if (!is.lapTiming) return is.positionsStay ? recordingsText.noLaps(count) : recordingsText.nothing
  return is.positionsStay ? recordingsText.positions(count) : recordingsText.lapsOnly(count)
}

const whole = new Intl.NumberFormat()
