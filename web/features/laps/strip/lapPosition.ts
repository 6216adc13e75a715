import type { Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { type DrawnCircuit, onTrackM } from '#web/circuits/drawing.ts'

/** Returns the share of the lap since start/finish at a position: 0 to just under 1, or null off the circuit. */
export function lapShareOn({
  outline,
  line,
}: Pick<DrawnCircuit, 'outline' | 'line'>): (position: Position) => number | null {
  const track = trackOf(outline)
  const lineAt = nearestOnTrack(track, line).progress
  return position => {
    const { offM, progress } = nearestOnTrack(track, position)
    return offM > onTrackM ? null : (progress - lineAt + 1) % 1
  }
}
