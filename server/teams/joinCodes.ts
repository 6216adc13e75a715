import { randomInt } from 'node:crypto'
import { type Insertable, type Kysely } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import type { JoinCode } from '#contract/joinCodes.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs, minuteMs } from '#contract/shared/durations.ts'
import {
  joinCodeLength,
  joinCodeLetters,
  joinCodeLifeMs,
  plainJoinCode,
} from '#contract/shared/joinCode.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { MemberRole } from '#contract/teams.ts'
import { nameOrEmail } from '../auth/people.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { networkOf } from '../rateLimit/network.ts'
import { enforceSharedLimit, isWithinSharedLimit, revertCount } from '../rateLimit/sharedLimits.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireEditor, requireStillEditor } from '../rights/requireMember.ts'
import { recordTeamChange } from './teamChanges.ts'

/*
 * A code is one of 31^6, about 900 million. Codes that are not valid count against the network that sent them, a /48 of
 * IPv6; valid ones do not, because a whole crew joins from one network. A network that has sent one wrong code today
 * shares the daily limit of the whole server with the others that did: many networks cannot guess much more than one, and
 * somebody who mistypes nothing is never refused because of them.
 */
export const wrongCodesPerMinute = 5
export const wrongCodesPerDay = 100
export const wrongCodesOfAllPerDay = 5000

/** Valid codes of one team. */
const maxCodes = storedBounds.joinCodes.max
/** Ended codes are stored for this long, so that people who enter one learn that it has ended. */
const keptAfterEndMs = dayMs
/** Attempts to draw a code that is not stored yet: two random ones rarely collide. */
const maxDraws = 10

type Context = Pick<AppContext, 'db' | 'clock'>

/** The rights that a code gives to each person who joins. */
interface Rights {
  role: MemberRole
  asks: boolean
  expiresAt: EpochMs
}

/**
 * Creates a code, for a member of the team. Refuses with `not-a-member`, `view-only`, and with `invalid-input` for more
 * than four days or too many codes.
 */
export async function showCode(
  { db, clock }: AppContext,
  userId: UserId,
  { teamId, role, asks, expiresAt, maxUses }: Rights & { teamId: TeamId; maxUses: number },
): Promise<JoinCode> {
  const now = clock.now()
  if (expiresAt <= now || expiresAt > now + joinCodeLifeMs)
    throw new Refusal('invalid-input', { fields: { expiresAt: 'not-valid' } })
  const id = await db.transaction().execute(async trx => {
    await lockTeam(trx, teamId)
    await requireStillEditor(trx, teamId, userId)
    const values = {
      team_id: teamId,
      shown_by: userId,
      role,
      asks,
      max_uses: maxUses,
      created_at: new Date(now),
      expires_at: new Date(expiresAt),
    }
    const stored = await storeDrawn(trx, values)
    if ((await validCodes(trx, now).where('team_id', '=', teamId).execute()).length > maxCodes)
      throw new Refusal('invalid-input', { detail: 'join-codes-too-many' })
    await recordTeamChange(trx, { teamId, kind: 'code-shown', actorId: userId, at: now })
    return stored
  })
  const [code] = await codesOf(db, teamId, now, id)
  if (!code) throw new Error('A stored code is missing.')
  return code
}

async function storeDrawn(
  trx: Kysely<Tables>,
  values: Omit<Insertable<Tables['join_codes']>, 'code'>,
): Promise<string> {
  for (let draw = 0; draw < maxDraws; draw++) {
    const stored = await trx
      .insertInto('join_codes')
      .values({ ...values, code: drawCode() })
      .onConflict(conflict => conflict.column('code').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (stored) return stored.id
  }
  throw new Refusal('not-ready')
}

function drawCode(): string {
  return Array.from({ length: joinCodeLength }, () =>
    joinCodeLetters.charAt(randomInt(joinCodeLetters.length)),
  ).join('')
}

/** Lists the valid codes of a team, the newest first. Refuses with `not-a-member` or `view-only`. */
export async function listCodes(
  { db, clock }: Context,
  userId: UserId,
  teamId: TeamId,
): Promise<JoinCode[]> {
  await requireEditor(db, teamId, userId)
  return codesOf(db, teamId, clock.now())
}

async function codesOf(
  db: Kysely<Tables>,
  teamId: TeamId,
  now: EpochMs,
  id?: string,
): Promise<JoinCode[]> {
  const rows = await validCodes(db, now)
    .innerJoin('users', 'users.id', 'join_codes.shown_by')
    .select(['join_codes.id', 'code', 'role', 'asks', 'uses', 'max_uses', 'expires_at'])
    .select(nameOrEmail().as('shown_by_name'))
    .where('team_id', '=', teamId)
    .$if(id !== undefined, query => query.where('join_codes.id', '=', id ?? ''))
    .orderBy('join_codes.created_at', 'desc')
    .orderBy('join_codes.id')
    .execute()
  return rows.map(row => ({
    id: row.id,
    code: row.code,
    role: row.role,
    asks: row.asks,
    expiresAt: row.expires_at.getTime(),
    uses: row.uses,
    maxUses: row.max_uses,
    shownBy: row.shown_by_name,
  }))
}

function validCodes(db: Kysely<Tables>, now: EpochMs) {
  return db.selectFrom('join_codes').select('join_codes.id').where('expires_at', '>', new Date(now))
}

/** Ends a code at once; people who have joined with it stay. Refuses with `not-a-member`, `view-only` or `not-found`. */
export async function stopCode(
  { db, clock }: AppContext,
  userId: UserId,
  { teamId, codeId }: { teamId: TeamId; codeId: string },
) {
  const now = clock.now()
  await db.transaction().execute(async trx => {
    await requireStillEditor(trx, teamId, userId)
    const stopped = await trx
      .updateTable('join_codes')
      .set({ expires_at: new Date(now) })
      .where('id', '=', codeId)
      .where('team_id', '=', teamId)
      .where('expires_at', '>', new Date(now))
      .returning('id')
      .executeTakeFirst()
    if (!stopped) throw new Refusal('not-found')
    await recordTeamChange(trx, { teamId, kind: 'code-stopped', actorId: userId, at: now })
  })
}

/** A valid code, with its team. */
export interface FoundCode extends Rights {
  id: string
  teamId: TeamId
  team: string
  shownBy: string | null
}

/**
 * Finds the team of a typed code. Counts wrong ones. Refuses with `too-many`, and with `not-found` and the reason for a
 * code that is not known, has ended or is used up, or whose member may no longer invite.
 */
export async function findCode(
  context: Context,
  { code, ip }: { code: string; ip: string },
): Promise<FoundCode> {
  const { db, clock } = context
  const uncount = await countGuess(context, networkOf(ip, 48))
  const row = await db
    .selectFrom('join_codes')
    .innerJoin('teams', 'teams.id', 'join_codes.team_id')
    // A code gives no more than the member who shows it has.
    .innerJoin('team_access', join =>
      join
        .onRef('team_access.team_id', '=', 'join_codes.team_id')
        .onRef('team_access.user_id', '=', 'join_codes.shown_by')
        .on('team_access.role', '=', 'member'),
    )
    .select(['join_codes.id', 'join_codes.role', 'asks', 'uses', 'max_uses', 'expires_at'])
    .innerJoin('users', 'users.id', 'join_codes.shown_by')
    .select(['teams.id as team_id', 'teams.name'])
    .select(nameOrEmail().as('shown_by_name'))
    .where('code', '=', plainJoinCode(code))
    .executeTakeFirst()
  if (!row) throw new Refusal('not-found', { detail: 'join-code-unknown' })
  await uncount()
  if (row.expires_at.getTime() <= clock.now())
    throw new Refusal('not-found', { detail: 'join-code-ended' })
  if (row.uses >= row.max_uses) throw new Refusal('not-found', { detail: 'join-code-used-up' })
  return {
    id: row.id,
    teamId: row.team_id,
    team: row.name,
    shownBy: row.shown_by_name,
    role: row.role,
    asks: row.asks,
    expiresAt: row.expires_at.getTime(),
  }
}

/** Counts a code before it is compared. Refuses with `too-many`. Call the result if the code was right. */
async function countGuess(context: Context, network: string): Promise<() => Promise<void>> {
  const what = 'join-guesses'
  const first = { what: 'join-first-guess', key: network, limit: 1, windowMs: dayMs }
  const all = { what, key: 'all', limit: wrongCodesOfAllPerDay, windowMs: dayMs }
  const counted = [
    { what, key: network, limit: wrongCodesPerMinute, windowMs: minuteMs },
    { what, key: network, limit: wrongCodesPerDay, windowMs: dayMs },
  ]
  for (const limit of counted) await enforceSharedLimit(context, limit)
  counted.push(first)
  if (!(await isWithinSharedLimit(context, first))) {
    await enforceSharedLimit(context, all)
    counted.push(all)
  }
  return async () => {
    for (const limit of counted) await revertCount(context.db, limit)
  }
}

/** Deletes codes some time after their end, and with them the people who still wait. */
export async function deleteOldCodes(db: Kysely<Tables>, now: EpochMs) {
  await db
    .deleteFrom('join_codes')
    .where('expires_at', '<', new Date(now - keptAfterEndMs))
    .execute()
}
