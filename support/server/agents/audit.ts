import type { Kysely } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { type PersonRow, personFromRow } from '#server/auth/people.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import type { Log } from '#server/log.ts'
import type { SupportEvent, VisitId } from '#support/contract/support.ts'

export interface NewAuditEntry {
  event: SupportEvent
  visitId?: VisitId
  visitorId?: UserId
  agentId: UserId | null
}

/** The audit log of agents' requests and the responses. */
export interface Audit {
  record(entry: NewAuditEntry): void
  /** Waits until all pending entries are stored. */
  flush(): Promise<void>
}

/** Stores entries one at a time, so that the table has the order of the events. */
export function createAudit(db: Kysely<Tables>, log: Log): Audit {
  let last = Promise.resolve()
  return {
    record(entry) {
      last = last.then(() =>
        write(db, entry).catch((error: unknown) =>
          log.error({ err: error, event: entry.event }, 'failed to store an audit entry'),
        ),
      )
    },
    flush: () => last,
  }
}

async function write(db: Kysely<Tables>, { event, visitId, visitorId, agentId }: NewAuditEntry) {
  await db
    .insertInto('support_audit')
    .values({
      event,
      visit_id: visitId ?? null,
      visitor_id: visitorId ?? null,
      agent_id: agentId,
    })
    .execute()
}

/** Returns the newest entries, or those before a given one. */
export async function readAudit(
  db: Kysely<Tables>,
  { before, limit }: { before?: number | undefined; limit: number },
) {
  const rows = await db
    .selectFrom('support_audit')
    .selectAll()
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const ids = rows.flatMap(({ visitor_id, agent_id }) => [visitor_id, agent_id])
  const people = await peopleById(
    db,
    ids.filter(id => id !== null),
  )
  const personOf = (id: string | null) => (id === null ? null : (people.get(id) ?? null))
  return rows.map(row => ({
    id: row.id,
    at: row.at.getTime(),
    event: row.event,
    visitId: row.visit_id,
    visitor: personOf(row.visitor_id),
    agent: personOf(row.agent_id),
  }))
}

const yearMs = 365 * dayMs

/** Deletes entries older than a year. */
export async function deleteOldAudit(db: Kysely<Tables>, now: EpochMs) {
  await db
    .deleteFrom('support_audit')
    .where('at', '<', new Date(now - yearMs))
    .execute()
}

export async function peopleById(db: Kysely<Tables>, ids: UserId[]) {
  if (ids.length === 0) return new Map<UserId, ReturnType<typeof personFromRow>>()
  const rows: PersonRow[] = await db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(row => [row.id, personFromRow(row)]))
}
