import type { Kysely } from 'kysely'
import type { Clock } from '#contract/clock.ts'
import { forgetExpired } from './auth/forgetExpired.ts'
import { forgetOldRates } from './db/rates.ts'
import type { Tables } from './db/tables.ts'
import type { Log } from './log.ts'
import { forgetOldAudit } from './support/audit.ts'
import { forgetExpiredInvitations } from './teams/invitations.ts'
import { dropOldDays, makeDaysAhead } from './telemetry/days.ts'
import { finishDeletions } from './telemetry/deletePositions.ts'

const everyMs = 60 * 60 * 1000
/** A laptop may run for less than an hour. The start itself has other things to do. */
const firstAfterMs = 60 * 1000

interface Chores {
  db: Kysely<Tables>
  log: Log
  clock: Clock
  historyDays: number
}

/** Makes room for tomorrow and clears away what can no longer matter, a minute after the start and once an hour. Call the result to stop. */
export function startChores({ db, log, clock, historyDays }: Chores): () => void {
  const chores = [
    () => makeDaysAhead(db, clock.now()),
    () => forgetExpired(db, clock.now()),
    () => forgetOldRates(db, clock.now()),
    () => finishDeletions(db),
    () => dropOldDays(db, clock.now(), historyDays),
    () => forgetOldAudit(db, clock.now()),
    () => forgetExpiredInvitations(db, clock.now()),
  ]
  async function doAll() {
    for (const chore of chores) {
      // One that fails, such as for a table that others are at work in, does not keep the others waiting.
      await chore().catch((error: unknown) => log.error({ err: error }, 'a chore was not done'))
    }
  }
  const cancelFirst = clock.after(firstAfterMs, () => void doAll())
  const stop = clock.every(everyMs, () => void doAll())
  return () => {
    cancelFirst()
    stop()
  }
}
