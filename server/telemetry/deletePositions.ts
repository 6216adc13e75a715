import { type Kysely, sql } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import type { Tables } from '../db/tables.ts'

interface Whose {
  userId: UserId
  /** None: all that the user has driven. */
  sessionId?: SessionId | undefined
}

/**
 * Deletes the positions of sessions that a user has driven, and the place where their cars are now. Fixes
 * taken until this moment are not stored any more, whichever node or phone still holds them. Answers how
 * many there were, and which of the sessions are active.
 */
export function deletePositions(db: Kysely<Tables>, { userId, sessionId }: Whose) {
  return db.transaction().execute(async trx => {
    // First, because it locks them: who is storing fixes now is waited for, who comes later sees the mark.
    const sessions = await trx
      .updateTable('sessions')
      .set({ positions_deleted_at: sql<Date>`now()`, speed: null, latitude: null, longitude: null })
      .where('user_id', '=', userId)
      .$if(sessionId !== undefined, query => query.where('id', '=', sessionId ?? ''))
      .returning(['id', 'status'])
      .execute()
    const ids = sessions.map(({ id }) => id)
    if (ids.length === 0) return { deleted: 0, active: [] }
    const { numDeletedRows } = await trx
      .deleteFrom('positions')
      .where('session_id', 'in', ids)
      .executeTakeFirstOrThrow()
    const active = sessions.filter(({ status }) => status === 'Active').map(({ id }) => id)
    return { deleted: Number(numDeletedRows), active }
  })
}
