import type { Kysely } from 'kysely'
import type { TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Tables } from '../db/schema/tables.ts'

const { max, refusal } = storedBounds.sessions

/** Refuses another session of a team with `invalid-input` if it has as many as are stored. */
export async function requireRoomForSession(trx: Kysely<Tables>, teamId: TeamId) {
  const { stored } = await trx
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<string | number>().as('stored'))
    .where('team_id', '=', teamId)
    .where('practice', '=', false)
    .executeTakeFirstOrThrow()
  if (Number(stored) >= max) throw new Refusal('invalid-input', { detail: refusal })
}
