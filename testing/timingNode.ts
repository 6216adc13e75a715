import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Clock } from '#contract/shared/clock.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import type { Database } from '#server/db/database.ts'
import { createLog, type Log } from '#server/log.ts'
import { storeSource } from '#server/timing/batches.ts'
import { SourceConnections } from '#server/timing/sourceConnections.ts'
import { stoppedClock } from './clock.ts'

interface Settings {
  clock?: Clock
  timingHosts?: string[] | 'any'
  /** URL of the stub of both providers. */
  providerUrl?: string
  log?: Log
}

/** A node that connects to the sources of races, whose repeated timers run when a test calls them. */
export function timingNode(
  { db }: Pick<Database, 'db'>,
  {
    clock = stoppedClock(),
    timingHosts = ['127.0.0.1'],
    providerUrl = 'https://provider.invalid',
    log = createLog('silent'),
  }: Settings = {},
) {
  const timers = new Set<{ act: () => void; intervalMs: number }>()
  const connections = new SourceConnections({
    db,
    log,
    timingHosts,
    raceMonitorUrl: providerUrl,
    raceHeroUrl: providerUrl,
    onLines: () => undefined,
    clock: {
      ...clock,
      every(intervalMs, act) {
        const timer = { act, intervalMs }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
  })
  onTestFinished(() => connections.close())
  return {
    connections,
    /** Stores what was received. */
    store() {
      for (const { act, intervalMs } of timers) if (intervalMs < 1000) act()
    },
    /** Claims sources, connects to new ones and closes others. */
    look: () => connections.update(),
  }
}

/** A race of a new team, with a source. */
export async function timedRace(
  { db }: Pick<Database, 'db'>,
  source: TimingSource,
  token?: string,
) {
  const team = await db
    .insertInto('teams')
    .values({ name: 'Timed' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const id = randomUUID()
  const race = { id, team_id: team.id, name: 'Zolder', created_at: new Date() }
  await db
    .insertInto('races')
    .values({ ...race, rules: JSON.stringify(noRules) })
    .execute()
  await db.transaction().execute(trx => storeSource(trx, { raceId: id, source, token, now: 0 }))
  onTestFinished(
    async () => void (await db.deleteFrom('teams').where('id', '=', team.id).execute()),
  )
  const stored = () =>
    db
      .selectFrom('race_timings')
      .select(['failure', 'newest'])
      .where('race_id', '=', id)
      .executeTakeFirstOrThrow()
  return { id, teamId: team.id, stored }
}
