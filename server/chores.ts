import type { Kysely } from 'kysely'
import { forgetExpired } from './auth/forgetExpired.ts'
import { forgetOldRates } from './db/rates.ts'
import type { Tables } from './db/tables.ts'
import type { Log } from './log.ts'
import { forgetOldAudit } from './support/audit.ts'
import { dropOldDays, makeDaysAhead } from './telemetry/days.ts'

const everyMs = 60 * 60 * 1000
/** A laptop may run for less than an hour. The start itself has other things to do. */
const firstAfterMs = 60 * 1000

interface Chores {
  db: Kysely<Tables>
  log: Log
  historyDays: number
}

/** Makes room for tomorrow and clears away what can no longer matter, a minute after the start and once an hour. Call the result to stop. */
export function startChores({ db, log, historyDays }: Chores): () => void {
  const chores = [
    () => makeDaysAhead(db),
    () => forgetExpired(db),
    () => forgetOldRates(db),
    () => dropOldDays(db, historyDays),
    () => forgetOldAudit(db),
  ]
  async function doAll() {
    for (const chore of chores) {
      // One that fails, such as for a table that others are at work in, does not keep the others waiting.
      await chore().catch((error: unknown) => log.error({ err: error }, 'a chore was not done'))
    }
  }
  const first = setTimeout(() => void doAll(), firstAfterMs).unref()
  const timer = setInterval(() => void doAll(), everyMs).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
