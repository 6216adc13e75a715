import { sql } from 'kysely'
import type { TimingSource } from '#contract/timing.ts'

interface SourceKind {
  /** Its flag and places reach a driver, and its flags reach laps. */
  readonly reachesGlass: boolean
  /** It sends a passing when it happens. Others are polled, through servers of their own, or replayed. */
  readonly sendsAtOnce: boolean
  /** The server connects to it. The others are sent to the server. */
  readonly isConnected: boolean
  readonly needsToken: boolean
}

export const sourceKinds: Readonly<Record<TimingSource['kind'], SourceKind>> = {
  rmonitor: { reachesGlass: true, sendsAtOnce: true, isConnected: true, needsToken: false },
  'race-monitor': { reachesGlass: true, sendsAtOnce: false, isConnected: true, needsToken: true },
  racehero: { reachesGlass: true, sendsAtOnce: false, isConnected: true, needsToken: true },
  push: { reachesGlass: true, sendsAtOnce: true, isConnected: false, needsToken: false },
  recorded: { reachesGlass: false, sendsAtOnce: false, isConnected: false, needsToken: false },
}

/** True for a row of `race_timings` whose token was deleted, as SQL. */
export const lacksToken = sql<boolean>`
  (source ->> 'kind' in (${sql.join(kindsWith('needsToken'))}) and secret is null)`

export function kindsWith(property: keyof SourceKind): string[] {
  return Object.entries(sourceKinds).flatMap(([kind, each]) => (each[property] ? kind : []))
}
