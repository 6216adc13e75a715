import { type Kysely, sql } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { teamHistoryDays } from '#contract/shared/lifetimes.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import type { TeamChange, TeamChangeKind } from '#contract/teamChanges.ts'
import { nameOrEmail } from '../auth/people.ts'
import type { Tables } from '../db/schema/tables.ts'

const changesPerPage = pages.changes

interface NewChange {
  teamId: TeamId
  kind: TeamChangeKind
  /** Absent for an invited person who declines. */
  actorId?: UserId
  at: EpochMs
  /** The user the change is about, if it is not the actor. */
  personId?: UserId
  /** The name typed for an invited person, who may have no account, or for a television. */
  personName?: string
  before?: string
  after?: string
}

/** Records a change in the history of a team. Call it in the transaction that makes the change. */
export async function recordTeamChange(trx: Kysely<Tables>, change: NewChange) {
  await trx
    .insertInto('team_changes')
    .values({
      team_id: change.teamId,
      at: new Date(change.at),
      kind: change.kind,
      actor_id: change.actorId ?? null,
      person_id: change.personId ?? null,
      person_name: change.personName ?? null,
      value_before: change.before ?? null,
      value_after: change.after ?? null,
    })
    .execute()
}

/** Saves while a member types count as one change for this long. */
const oneChangeMs = 10 * 60_000

/** Race and plan are edited in turns on one page: the entries of one do not end a change of the other. */
const ofRacePage: readonly TeamChangeKind[] = ['race-added', 'race-changed', 'plan-changed']

/**
 * Records a change of something that is saved again and again. It updates the newest entry of the team, under its new
 * name, if that is of the same person, made shortly before, and of this kind or of the kind that it was added with.
 */
export async function recordOngoingChange(
  trx: Kysely<Tables>,
  change: NewChange & { actorId: UserId; before: string; after: string },
  addedAs: TeamChangeKind = change.kind,
) {
  const recent = await trx
    .selectFrom('team_changes')
    .select(['id', 'kind', 'actor_id', 'value_after'])
    .where('team_id', '=', change.teamId)
    .where('at', '>', new Date(change.at - oneChangeMs))
    .orderBy('id', 'desc')
    .limit(ofRacePage.length)
    .execute()
  const isSame = (each: (typeof recent)[number]) =>
    [change.kind, addedAs].includes(each.kind) &&
    each.actor_id === change.actorId &&
    each.value_after === change.before
  const newest = recent.find(
    each => isSame(each) || each.actor_id !== change.actorId || !ofRacePage.includes(each.kind),
  )
  if (!newest || !isSame(newest)) return recordTeamChange(trx, change)
  await trx
    .updateTable('team_changes')
    .set({ value_after: change.after })
    .where('id', '=', newest.id)
    .execute()
}

/** Reads a page of a team's history, newest first. The caller must have checked the membership. */
export async function teamChanges(
  db: Kysely<Tables>,
  { teamId, before }: { teamId: TeamId; before?: number | undefined },
): Promise<{ changes: TeamChange[]; next: number | null }> {
  const rows = await db
    .selectFrom('team_changes as c')
    .leftJoin('users as actor', 'actor.id', 'c.actor_id')
    .leftJoin('users as person', 'person.id', 'c.person_id')
    .select(['c.id', 'c.at', 'c.kind', 'c.value_before', 'c.value_after'])
    .select([
      nameOrEmail('actor').as('actor_name'),
      sql<string | null>`coalesce(${nameOrEmail('person')}, c.person_name)`.as('affected_name'),
    ])
    .where('c.team_id', '=', teamId)
    .$if(before !== undefined, query => query.where('c.id', '<', String(before)))
    .orderBy('c.id', 'desc')
    // One more than a page shows whether another page follows.
    .limit(changesPerPage + 1)
    .execute()
  const page = rows.slice(0, changesPerPage).map(row => ({
    id: Number(row.id),
    at: row.at.getTime(),
    kind: row.kind,
    actor: row.actor_name,
    person: row.affected_name,
    before: row.value_before,
    after: row.value_after,
  }))
  return { changes: page, next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/** Deletes changes older than `teamHistoryDays` days. */
export async function deleteOldTeamChanges(db: Kysely<Tables>, now: EpochMs) {
  await db
    .deleteFrom('team_changes')
    .where('at', '<', new Date(now - teamHistoryDays * dayMs))
    .execute()
}
