import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { Position } from '#contract/shared/geo.ts'
import { circuitFrom } from '#racing/circuits/outline.ts'
import type { RecordingHead, RecordingWriter } from '#racing/formats/write/recordingWriter.ts'
import { csvWriter } from '#racing/formats/write/writeCsv.ts'
import { gpxWriter } from '#racing/formats/write/writeGpx.ts'
import { raceChronoWriter } from '#racing/formats/write/writeRaceChrono.ts'
import { vboWriter } from '#racing/formats/write/writeVbo.ts'
import type { CircuitVersion } from '../circuits/circuitVersion.ts'
import type { Tables } from '../db/schema/tables.ts'
import { withoutFormulas } from '../http/withoutFormulas.ts'
import { readPositions } from '../telemetry/readPositions.ts'

/** Rows read from the database, and formatted, at once: about 5 ms of the process. */
const rowsPerPage = 1000

/** A lap is exported with the fixes around it, so that a reader finds the crossings of the line. */
const aroundLapMs = 2000

/** Half the length of the start/finish line. */
const halfLineM = 25

/** The formats of an export, by the ending of the file's name. */
export const formats = {
  'positions.csv': { type: 'text/csv; charset=utf-8', writer: () => csvWriter(quoted) },
  'racechrono.csv': {
    type: 'text/csv; charset=utf-8',
    writer: (head: RecordingHead) => raceChronoWriter(head, quoted),
  },
  'track.gpx': { type: 'application/gpx+xml', writer: gpxWriter },
  'track.vbo': { type: 'text/plain; charset=utf-8', writer: vboWriter },
} as const satisfies Record<
  string,
  { type: string; writer: (head: RecordingHead) => RecordingWriter }
>
export type ExportFormat = keyof typeof formats

export interface ExportedSession {
  id: SessionId
  title: string
  /** The driver of the lap, or all drivers of the session. */
  driver: string
  startedAt: EpochMs
  laps: readonly Lap[]
  circuit: CircuitVersion | null
  driverAt: (time: EpochMs) => string
}

/** Yields the positions of a session, or of one lap, as a file of this format: one page in memory at a time. */
export async function* positionFile(
  db: Kysely<Tables>,
  session: ExportedSession,
  { format, lap }: { format: ExportFormat; lap: Lap | null },
): AsyncGenerator<string> {
  const { from, until } = lap
    ? { from: lap.startedAt - aroundLapMs, until: lap.startedAt + lap.timeMs + aroundLapMs }
    : { from: undefined, until: undefined }
  const lapAt = lapFinder(session.laps)
  const read = (start: EpochMs | undefined) =>
    readPositions(db, { sessionId: session.id, from: start, until }, rowsPerPage)
  let page = await read(from)
  const [first] = page
  // A file without positions does not name the circuit either.
  const writer = formats[format].writer(
    first ? headOf(session, first.at) : headOf({ ...session, circuit: null }, session.startedAt),
  )
  yield writer.head()
  for (;;) {
    // Lap timing may have been turned off while the file is sent.
    const isTimed = await hasLapTiming(db, session.id)
    yield writer.rows(
      page.map(fix => ({
        ...fix,
        lap: isTimed ? lapAt(fix.at) : null,
        driver: session.driverAt(fix.at),
      })),
    )
    const last = page.at(-1)
    if (!last || page.length < rowsPerPage) break
    page = await read(last.at + 1)
  }
  yield writer.foot()
}

async function hasLapTiming(db: Kysely<Tables>, sessionId: SessionId): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('lap_timing')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session?.lap_timing ?? false
}

function headOf({ title, driver, circuit }: ExportedSession, startedAt: EpochMs): RecordingHead {
  return {
    title,
    driver,
    circuit: circuit?.name ?? '',
    startedAt,
    line: circuit && lineOf(circuit),
  }
}

/** Returns both ends of the start/finish line. */
function lineOf({ outline, line }: CircuitVersion): [Position, Position] {
  const { track, gate } = circuitFrom(outline, line)
  const { point, direction } = gate
  const end = (side: number) =>
    track.plane.toPosition({
      eastM: point.eastM - direction.northM * side,
      northM: point.northM + direction.eastM * side,
    })
  return [end(halfLineM), end(-halfLineM)]
}

/** Returns the number of the lap at a time. Times must not go back. */
function lapFinder(laps: readonly Lap[]): (at: EpochMs) => number | null {
  let index = 0
  return at => {
    for (;;) {
      const lap = laps[index]
      if (!lap || at < lap.startedAt) return null
      if (at < lap.startedAt + lap.timeMs) return lap.number
      index += 1
    }
  }
}

/** Quotes typed text as a CSV cell. */
function quoted(text: string): string {
  return `"${withoutFormulas(text).replaceAll('"', '""')}"`
}
