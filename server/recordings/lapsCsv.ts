import { stringify } from 'csv-stringify/sync'
import type { Lap } from '#contract/laps.ts'
import { withoutFormulas } from '../http/withoutFormulas.ts'

export interface ExportedLap
  extends Pick<Lap, 'number' | 'startedAt' | 'timeMs' | 'kind' | 'isSeen' | 'yellow'> {
  /** Null for a lap of two phones. */
  plusMinusMs: number | null
  driver: string
  stint: number | undefined
  /** Name of the session whose phone saw the end of the lap. */
  session: string
}

/** The columns in their order, and the value of each. */
const columns: Readonly<Record<string, (lap: ExportedLap) => string | number | undefined>> = {
  lap: ({ number }) => number,
  started: ({ startedAt }) => new Date(startedAt).toISOString(),
  'time s': ({ timeMs }) => seconds(timeMs),
  'plus minus s': ({ plusMinusMs }) => (plusMinusMs === null ? '' : seconds(plusMinusMs)),
  kind: ({ kind }) => kind,
  'crossing seen': ({ isSeen }) => (isSeen ? 'yes' : 'no'),
  yellow: ({ yellow }) => (yellow ? 'yes' : 'no'),
  driver: ({ driver }) => driver,
  stint: ({ stint }) => stint,
  session: ({ session }) => session,
}

/** Writes laps as CSV (RFC 4180) with a header line. Times are ISO 8601 in UTC. */
export function lapsCsv(laps: readonly ExportedLap[]): string {
  const values = Object.values(columns)
  return stringify(
    laps.map(lap => values.map(valueOf => valueOf(lap))),
    {
      header: true,
      columns: Object.keys(columns),
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      cast: { string: withoutFormulas },
    },
  )
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
