import { maxImportedCircuits } from '#contract/circuits/circuitRules.ts'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { distanceM, type Position } from '#contract/shared/places/geo.ts'
import { nearestOnTrack, type Track, trackOf } from '#contract/shared/places/track.ts'
import { readCircuitFile } from '#racing/formats/circuitFile.ts'
import type { CircuitFile } from '#racing/formats/circuitGpx.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import type { AppContext } from '../../context.ts'
import { requireEditor, requireStillEditor } from '../../teams/members.ts'
import { type CircuitVersion, measured, type VersionValues } from '../circuitVersion.ts'
import { publishCircuits } from '../publishCircuits.ts'
import { addCircuit, lockCircuits } from '../storedCircuits.ts'

/** No circuit is shorter or longer. */
const shortestM = 200
const longestM = 60_000

/** The ends of a closed outline are this close, or within this share of its length. */
const closedM = 100
const closedShare = 0.05

/** Points closer together are left out; an outline has at most this number. */
const leastStepM = 2
const maxStoredPoints = 2000

/** Gates are this close to the outline. */
const besideM = 150

/**
 * Adds a circuit from a file to a team, for members except viewers. Refuses with `not-a-member`, `view-only`, or
 * `invalid-input` with the reason.
 */
export async function importCircuit(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  userId: UserId,
  { teamId, name, file }: { teamId: TeamId; name: string; file: string },
): Promise<CircuitVersion> {
  // Before the file is read.
  await requireEditor(db, teamId, userId)
  const values = valuesOf(circuitIn(file))
  const circuit = await db.transaction().execute(async trx => {
    await lockCircuits(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    const { count } = await trx
      .selectFrom('circuits')
      .select(({ fn }) => fn.countAll<string | number>().as('count'))
      .where('team_id', '=', teamId)
      .where('source', '=', 'imported')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= maxImportedCircuits)
      throw new Refusal('invalid-input', { detail: 'circuits-too-many' })
    return addCircuit(trx, { teamId, name, source: 'imported', learnedIn: null, ...values })
  })
  publishCircuits(live, teamId)
  return circuit
}

function circuitIn(file: string): CircuitFile {
  try {
    return readCircuitFile(file)
  } catch (error) {
    if (!(error instanceof RecordingRefused)) throw error
    const detail = error.lacksLine ? 'circuit-without-line' : 'circuit-unreadable'
    throw new Refusal('invalid-input', { detail })
  }
}

/** Checks the outline, and thins it out. */
function valuesOf({ outline: all, gates }: CircuitFile): VersionValues {
  const wayM = all.reduce((sum, place, index) => sum + distanceM(all[index - 1] ?? place, place), 0)
  const outline = thinned(all, Math.max(leastStepM, wayM / maxStoredPoints))
  const [first] = outline
  const last = all.at(-1)
  if (!first || !last || outline.length < 3)
    throw new Refusal('invalid-input', { detail: 'circuit-without-line' })
  if (wayM < shortestM || wayM > longestM)
    throw new Refusal('invalid-input', { detail: 'circuit-length' })
  if (distanceM(first, last) > Math.max(closedM, closedShare * wayM))
    throw new Refusal('invalid-input', { detail: 'circuit-open' })
  const track = trackOf(outline)
  const near = (place: Position | undefined) => place && nearGate(track, place)
  return {
    outline,
    ...measured(outline),
    line: near(gates.line) ?? first,
    lineSource: 'data',
    lineErrorM: null,
    pitIn: near(gates['pit-in']) ?? null,
    pitOut: near(gates['pit-out']) ?? null,
    laps: null,
    errorM: null,
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

function nearGate(track: Track, place: Position): Position {
  if (nearestOnTrack(track, place).offM > besideM)
    throw new Refusal('invalid-input', { detail: 'circuit-too-far' })
  return place
}
