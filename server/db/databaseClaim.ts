import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { DatabaseRefused } from './database.ts'

/** The key of the advisory lock: shared by processes with a bus, exclusive otherwise. */
const claimLock = 7_041_934
/** A process that is being replaced closes within this time. */
const defaultWaitMs = 40_000
/** PostgreSQL then drops the connection of a machine that vanished after about 30 s, instead of two hours. */
const keepAlive =
  'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
const retryIntervalMs = 500
const reconnectDelayMs = 5_000

interface ClaimSettings {
  databaseUrl: string
  /** Whether several processes may use the database at once, because a bus carries messages between them. */
  shared: boolean
  log: Pick<Log, 'info' | 'warn' | 'error'>
  waitMs?: number
}

/**
 * Claims a PostgreSQL database for this process: without NATS, messages would not reach the users of a second
 * process. Waits for a process that is still closing, then throws DatabaseRefused. The claim is held by a
 * dedicated connection and renewed after that breaks. Call the result to release it.
 */
export async function claimDatabase(settings: ClaimSettings): Promise<() => Promise<void>> {
  const { log, waitMs = defaultWaitMs } = settings
  const until = performance.now() + waitMs
  let claim = await tryClaim(settings)
  if (!claim) log.info('another process uses this database, waiting for it to stop')
  while (!claim) {
    if (performance.now() > until) throw refusal()
    await pause(retryIntervalMs)
    claim = await tryClaim(settings)
  }
  return maintainClaim(claim, settings)
}

function refusal() {
  return new DatabaseRefused(
    'DATABASE_URL: another Pitboard process uses this database, and messages do not pass between the two. Stop it, set NATS_URL for both, or set ALLOW_SHARED_DATABASE=1.',
  )
}

function maintainClaim(first: pg.Client, settings: ClaimSettings) {
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
    retry = setTimeout(() => void renew(), reconnectDelayMs).unref()
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

/** Returns a connection that holds the claim, or undefined while another process has it. */
async function tryClaim({ databaseUrl, shared }: ClaimSettings): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'pitboard-claim',
    keepAlive: true,
  })
  // The connection may break at any time: the `end` event follows.
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
