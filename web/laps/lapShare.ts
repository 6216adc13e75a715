import type { Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { type DrawnCircuit, onTrackM } from '#web/circuits/drawing.ts'
import { DrivenDirection } from '#web/circuits/drivenDirection.ts'

/**
 * Returns a function that returns the share of the lap since start/finish at a car's next position: 0 to just under 1,
 * or null off the circuit. A car that drives the other way round is at the rest of the lap.
 */
export function lapShareOn({
  outline,
  line,
}: Pick<DrawnCircuit, 'outline' | 'line'>): (position: Position) => number | null {
  const track = trackOf(outline)
  const lineAt = nearestOnTrack(track, line).progress
  const direction = new DrivenDirection(outline)
  return position => {
    const { offM, progress } = nearestOnTrack(track, position)
    if (offM > onTrackM) return null
    const forward = (progress - lineAt + 1) % 1
    return direction.add(position) ? (1 - forward) % 1 : forward
  }
}
