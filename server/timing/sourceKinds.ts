import { sql } from 'kysely'
import type { TimingSource } from '#contract/timing.ts'

/** Sources whose flag and places reach a driver, and whose flags reach laps. A recorded file never does. */
export const reachesGlass: Record<TimingSource['kind'], boolean> = {
  rmonitor: true,
  'race-monitor': true,
  racehero: true,
  push: true,
  recorded: false,
}

/** Sources that send a passing when it happens. Others are polled, through servers of their own, or replayed. */
export const sendsAtOnce: Record<TimingSource['kind'], boolean> = {
  rmonitor: true,
  'race-monitor': false,
  racehero: false,
  push: true,
  recorded: false,
}

/** Sources that the server connects to. Those of the other kinds are sent to it. */
export const connectedKinds: TimingSource['kind'][] = ['rmonitor', 'race-monitor', 'racehero']

/** Providers that require a token. */
export const tokenKinds: TimingSource['kind'][] = ['race-monitor', 'racehero']

/** True for a row of `race_timings` whose token was deleted, as SQL. */
export const lacksToken = sql<boolean>`
  (source ->> 'kind' in (${sql.join(tokenKinds)}) and secret is null)`
