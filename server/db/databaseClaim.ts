import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { DatabaseRefused } from './database.ts'

/** An advisory lock of the database: processes that can share it hold it together, any other alone. */
const claimLock = 7_041_934
/** A process that is being replaced closes within this time. */
const patienceMs = 40_000
/** The server ends the claim of a machine that vanished within some 30 s, instead of two hours. */
const keepAlive =
  'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
const retryEveryMs = 500
const reconnectEveryMs = 5_000

interface ClaimSettings {
  databaseUrl: string
  /** Whether several processes may use the database at once, because messages pass between them. */
  shared: boolean
  log: Pick<Log, 'info' | 'warn' | 'error'>
  waitMs?: number
}

/**
 * Claims a PostgreSQL database for this process: without NATS a second process on it would keep its messages to
 * itself. Waits for a process that is still closing, then throws DatabaseRefused. The claim lives on a connection of
 * its own and is renewed when that breaks. Call the result to release it.
 */
export async function claimDatabase(settings: ClaimSettings): Promise<() => Promise<void>> {
  const { log, waitMs = patienceMs } = settings
  const until = performance.now() + waitMs
  let claim = await tryClaim(settings)
  if (!claim) log.info('another process uses this database, waiting for it to stop')
  while (!claim) {
    if (performance.now() > until) throw refusal()
    await pause(retryEveryMs)
    claim = await tryClaim(settings)
  }
  return keepClaim(claim, settings)
}

function refusal() {
  return new DatabaseRefused(
    'DATABASE_URL: another Pitboard process uses this database, and messages do not pass between the two. Stop it, set NATS_URL for both, or set ALLOW_SHARED_DATABASE=1.',
  )
}

function keepClaim(first: pg.Client, settings: ClaimSettings) {
  const { log } = settings
  let claim: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isReleased = false
  const hold = (client: pg.Client) => {
    claim = client
    client.once('end', () => {
      claim = undefined
      if (!isReleased) retryLater()
    })
  }
  const retryLater = () => {
    retry = setTimeout(() => void renew(), reconnectEveryMs).unref()
  }
  const renew = async () => {
    try {
      const client = await tryClaim(settings)
      if (isReleased) return await client?.end()
      if (client) return hold(client)
      log.error(
        'another process uses this database, and messages do not pass between the two: set NATS_URL for both, or stop one',
      )
    } catch (error) {
      log.warn({ err: error }, 'failed to renew the claim on the database, will retry')
    }
    retryLater()
  }
  hold(first)
  return async () => {
    isReleased = true
    clearTimeout(retry)
    await claim?.end()
  }
}

/** A connection that holds the claim, or none while another process has it. */
async function tryClaim({ databaseUrl, shared }: ClaimSettings): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'pitboard-claim',
    keepAlive: true,
  })
  // The connection may break at any time: `end` follows.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(keepAlive)
  const attempt = shared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ claimed: boolean }>(`select ${attempt}($1) as claimed`, [
    claimLock,
  ])
  if (rows[0]?.claimed) return client
  await client.end()
  return undefined
}
