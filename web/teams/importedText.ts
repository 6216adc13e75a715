import type { ImportedRecording } from '#contract/positions.ts'
import { recordingsText } from '#web/text/recordings.ts'
import { grouped } from '#web/ui/grouped.ts'

/** Returns the result of an import, in sentences. */
export function importedText(recording: ImportedRecording, lapTiming: boolean): string {
  const { isNew, addedWeeks, moreSessionIds } = recording
  const sentences = [storedText(recording, lapTiming)]
  if (isNew && addedWeeks > 0) sentences.push(recordingsText.addedWeeks(addedWeeks))
  if (isNew && moreSessionIds.length > 0)
    sentences.push(recordingsText.drives(moreSessionIds.length + 1))
  return sentences.join(' ')
}

function storedText(
  { positions, isNew, added, positionsStay, keptPerSecond, lapTimingChanged }: ImportedRecording,
  lapTiming: boolean,
): string {
  if (!isNew) {
    const change = lapTiming ? recordingsText.timedAgain : recordingsText.timedNoMore
    // Positions that are too old were deleted after the first import: they were not missing.
    const known =
      added > 0 && positionsStay ? recordingsText.completed(grouped(added)) : recordingsText.known
    return lapTimingChanged ? `${known} ${change}` : known
  }
  const kept = keptText(positions, { positionsStay, lapTiming })
  if (keptPerSecond === null || kept === recordingsText.nothing) return kept
  return `${kept} ${recordingsText.thinned(keptPerSecond)}`
}

function keptText(positions: number, is: { positionsStay: boolean; lapTiming: boolean }): string {
  const count = grouped(positions)
  if (!is.lapTiming) return is.positionsStay ? recordingsText.noLaps(count) : recordingsText.nothing
  return is.positionsStay
    ? recordingsText.positions(count, lapsIn(positions))
    : recordingsText.lapsOnly(count)
}

/** Positions that are timed in a minute: lap timing uses at most a fifth of the server's process. */
const timedInMinute = 100_000
const timedInSeconds = 20_000

function lapsIn(positions: number): string {
  if (positions <= timedInSeconds) return recordingsText.inSeconds
  const minutes = Math.ceil(positions / timedInMinute)
  return minutes === 1 ? recordingsText.inAMinute : recordingsText.inMinutes(minutes)
}
