import type { Kysely } from 'kysely'
import { forgetExpired } from './auth/forgetExpired.ts'
import { forgetOldRates } from './db/rates.ts'
import type { Tables } from './db/tables.ts'
import type { Log } from './log.ts'
import { forgetOldAudit } from './support/audit.ts'

const everyMs = 60 * 60 * 1000

/** Clears away, once an hour, what can no longer matter. Call the result to stop. */
export function startChores(db: Kysely<Tables>, log: Log): () => void {
  async function clearAway() {
    await forgetExpired(db)
    await forgetOldRates(db)
    await forgetOldAudit(db)
  }
  const timer = setInterval(() => {
    clearAway().catch((error: unknown) => log.error({ err: error }, 'what is old was not cleared'))
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
