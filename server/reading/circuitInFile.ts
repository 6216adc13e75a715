import { longestCircuitM, shortestCircuitM } from '#contract/shared/bounds.ts'
import { distanceM, type Position } from '#contract/shared/geo.ts'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { readCircuitFile } from '#racing/formats/circuitFile.ts'
import type { CircuitFile } from '#racing/formats/circuitGpx.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'

/** The ends of a closed outline are this close, or within this share of its length. */
const closedM = 100
const closedShare = 0.05

/** Points closer together are left out; an outline has at most this number. */
const leastStepM = 2
const maxStoredPoints = 2000

/** Gates are this close to the outline. */
const besideM = 150

/** A closed outline with its gates, or why the file has none. */
export type CircuitInFile =
  | { outline: Position[]; line: Position; pitIn: Position | null; pitOut: Position | null }
  | { refused: RefusalDetail }

/**
 * Reads a circuit from a GeoJSON or GPX file, checks its outline, and thins it out. A file of 1 MB takes up to 2 s: call
 * it outside the server's process.
 */
export function circuitInFile(file: string): CircuitInFile {
  let circuit: CircuitFile
  try {
    circuit = readCircuitFile(file)
  } catch (error) {
    if (!(error instanceof RecordingRefused)) throw error
    return { refused: error.lacksLine ? 'circuit-without-line' : 'circuit-unreadable' }
  }
  return checked(circuit)
}

function checked({ outline: all, gates }: CircuitFile): CircuitInFile {
  const wayM = all.reduce((sum, place, index) => sum + distanceM(all[index - 1] ?? place, place), 0)
  const outline = thinned(all, Math.max(leastStepM, wayM / maxStoredPoints))
  const [first] = outline
  const last = all.at(-1)
  if (!first || !last || outline.length < 3) return { refused: 'circuit-without-line' }
  if (wayM < shortestCircuitM || wayM > longestCircuitM) return { refused: 'circuit-length' }
  if (distanceM(first, last) > Math.max(closedM, closedShare * wayM))
    return { refused: 'circuit-open' }
  const track = trackOf(outline)
  if (Object.values(gates).some(gate => nearestOnTrack(track, gate).offM > besideM))
    return { refused: 'circuit-too-far' }
  return {
    outline,
    line: gates.line ?? first,
    pitIn: gates['pit-in'] ?? null,
    pitOut: gates['pit-out'] ?? null,
  }
}

function thinned(outline: readonly Position[], stepM: number): Position[] {
  const kept: Position[] = []
  for (const place of outline) {
    const last = kept.at(-1)
    if (!last || distanceM(last, place) >= stepM) kept.push(place)
  }
  // The outline is closed from its last point to the first.
  const [first] = kept
  const last = kept.at(-1)
  if (kept.length > 1 && first && last && distanceM(first, last) < stepM) kept.pop()
  return kept
}
