import type { Kysely } from 'kysely'
import type { Clock } from '#contract/shared/clock.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { deleteExpired } from './auth/deleteExpired.ts'
import type { Tables } from './db/schema/tables.ts'
import type { Live } from './live/publish/live.ts'
import type { Log } from './log.ts'
import { deleteOldEvents } from './notifications/storedEvents.ts'
import { endSilentSessions } from './races/endSession.ts'
import { deleteEndedPractice } from './races/practice.ts'
import { recomputeActiveRuns } from './races/recomputeActiveRuns.ts'
import { deleteOldCounts } from './rateLimit/sharedLimits.ts'
import { removeDeletedTeams } from './teams/deleteTeam.ts'
import { deleteExpiredInvitations } from './teams/invitations.ts'
import { deleteOldCodes } from './teams/joinCodes.ts'
import { deleteOldTeamChanges } from './teams/teamChanges.ts'
import { deleteOldDays, makeDaysAhead } from './telemetry/days.ts'
import { finishDeletions } from './telemetry/deletePositions.ts'
import type { Recorder } from './telemetry/recorder.ts'
import { deleteOldTiming } from './timing/batches.ts'
import { deleteOldEntries } from './timing/entries.ts'
import type { OfficialTimings } from './timing/officialTiming.ts'

const everyMs = hourMs
/** Early, since a laptop may run for less than an hour, but not during the busy start. */
const firstAfterMs = 60 * 1000

interface ScheduledJobs {
  db: Kysely<Tables>
  log: Log
  clock: Clock
  live: Pick<Live, 'publish'>
  recorder: Pick<Recorder, 'latest'>
  timings: Pick<OfficialTimings, 'forgetBefore'>
  historyDays: number
  /** Jobs of add-ons, by name. */
  more: Record<string, () => Promise<unknown>>
}

/**
 * Runs the scheduled jobs, which prepare tomorrow's partition, end silent sessions and delete expired data: a minute
 * after the start, then hourly. Call the result to stop: it waits for the running job, and the others are left out.
 */
export function startScheduledJobs({
  db,
  log,
  clock,
  live,
  recorder,
  timings,
  historyDays,
  more,
}: ScheduledJobs): () => Promise<void> {
  const jobs = {
    makeDaysAhead: () => makeDaysAhead(db, clock.now()),
    deleteExpired: () => deleteExpired(db, clock.now()),
    deleteOldEvents: () => deleteOldEvents(db, clock.now()),
    deleteOldCounts: () => deleteOldCounts(db, clock.now()),
    finishDeletions: () => finishDeletions(db),
    dropOldDays: () => deleteOldDays(db, clock.now(), historyDays),
    endSilentSessions: () => endSilentSessions({ db, live, recorder, clock }),
    deleteEndedPractice: () => deleteEndedPractice(db, clock.now()),
    recomputeActiveRuns: () => recomputeActiveRuns({ db, live, recorder, clock }),
    deleteExpiredInvitations: () => deleteExpiredInvitations(db, clock.now()),
    removeDeletedTeams: () => removeDeletedTeams(db, clock.now()),
    deleteOldCodes: () => deleteOldCodes(db, clock.now()),
    deleteOldTiming: () => deleteOldTiming(db, timings, clock.now()),
    deleteOldTimingEntries: () => deleteOldEntries(db, clock.now()),
    deleteOldTeamChanges: () => deleteOldTeamChanges(db, clock.now()),
    ...more,
  }
  let stopped = false
  let running = Promise.resolve()
  async function runAll() {
    for (const [job, run] of Object.entries<() => Promise<unknown>>(jobs)) {
      if (stopped) return
      // A failing job, such as one that waits for a locked table, must not stop the others.
      await run().catch((error: unknown) => log.error({ err: error, job }, 'scheduled job failed'))
    }
  }
  function start() {
    // One after the other: jobs that take longer than an hour must not run twice at once.
    running = running.then(runAll)
  }
  const cancelFirst = clock.after(firstAfterMs, start)
  const cancelHourly = clock.every(everyMs, start)
  return async () => {
    stopped = true
    cancelFirst()
    cancelHourly()
    await running
  }
}
