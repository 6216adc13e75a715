import type { Kysely, Transaction } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { type RaceRules, type RulePack, RulePackFile } from '#contract/rulePacks.ts'
import { maxRulePacks } from '#contract/shared/raceRules.ts'
import { shippedPacks } from '#racing/race/shippedPacks.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'

/** Lists the rule packs of the app, then the team's own by name. */
export async function listRulePacks(db: Kysely<Tables>, teamId: TeamId): Promise<RulePack[]> {
  const rows = await db
    .selectFrom('rule_packs')
    .select(['id', 'rules'])
    .where('team_id', '=', teamId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const own = rows.map(({ id, rules }) => ({ id, isOwn: true, rules }))
  const shipped = shippedPacks.map(({ id, rules }) => ({ id, isOwn: false, rules }))
  return [...shipped, ...own.sort((a, b) => a.rules.name.localeCompare(b.rules.name))]
}

/** Adds a rule pack to a team, or changes the one with this id. */
export async function saveRulePack(
  context: Pick<AppContext, 'db' | 'live' | 'clock'>,
  userId: UserId,
  { teamId, id, rules }: { teamId: TeamId; id: string; rules: RaceRules },
) {
  await changePacks(context, { teamId, userId }, async trx => {
    const packs = await trx
      .selectFrom('rule_packs')
      .select('id')
      .where('team_id', '=', teamId)
      .execute()
    if (packs.length >= maxRulePacks && packs.every(pack => pack.id !== id))
      throw new Refusal('invalid-input', { detail: 'rule-packs-too-many' })
    const stored = JSON.stringify(rules)
    const saved = await trx
      .insertInto('rule_packs')
      .values({ id, team_id: teamId, rules: stored, created_at: new Date(context.clock.now()) })
      .onConflict(conflict =>
        conflict
          .column('id')
          .doUpdateSet({ rules: stored })
          .where('rule_packs.team_id', '=', teamId),
      )
      .returning('id')
      .executeTakeFirst()
    if (!saved) throw new Refusal('not-found')
  })
}

/** Adds the rule pack of a file. Refuses with `invalid-input` and the reason. */
export async function importRulePack(
  context: Pick<AppContext, 'db' | 'live' | 'clock'>,
  userId: UserId,
  { teamId, id, file }: { teamId: TeamId; id: string; file: string },
) {
  // Before the file is read.
  await requireEditor(context.db, teamId, userId)
  await saveRulePack(context, userId, { teamId, id, rules: rulesInFile(file) })
}

export async function removeRulePack(
  context: Pick<AppContext, 'db' | 'live'>,
  userId: UserId,
  { teamId, id }: { teamId: TeamId; id: string },
) {
  await changePacks(context, { teamId, userId }, async trx => {
    await trx.deleteFrom('rule_packs').where('team_id', '=', teamId).where('id', '=', id).execute()
  })
}

async function changePacks(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  change: (trx: Transaction<Tables>) => Promise<void>,
) {
  await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    await change(trx)
  })
  live.publish(`team:${teamId}`, { t: 'race-changed', team: teamId })
}

function rulesInFile(file: string): RaceRules {
  let content: unknown
  try {
    content = JSON.parse(file)
  } catch {
    throw new Refusal('invalid-input', { fields: { file: 'rule-pack-unreadable' } })
  }
  const { success, data } = RulePackFile.safeParse(content)
  if (!success) throw new Refusal('invalid-input', { fields: { file: 'rule-pack-wrong' } })
  return data.rules
}
