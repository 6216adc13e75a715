import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { obeyable } from '#contract/shared/messageTypes.ts'
import type { Tables } from '../db/schema/tables.ts'
import { messageColumns, type StoredMessage, storedMessage } from './messageFromRow.ts'

/**
 * Clears the PIT or FUEL that is on a driver's screen if it was pressed before the stop that has just ended. Returns the
 * stored CLEAR, which nobody has sent, to be published; null if there is none. One statement, which locks the session.
 */
export async function storeObeyed(
  db: Kysely<Tables>,
  sessionId: SessionId,
  stoppedAt: EpochMs,
  clock: Clock,
): Promise<Message | null> {
  const now = sql`${new Date(clock.now())}::timestamptz`
  const { rows } = await sql<StoredMessage>`
    with session as (
      select s.id, s.message_version
      from sessions s
      join messages m on m.session_id = s.id and m.version = s.message_version
      where s.id = ${sessionId}::uuid and s.status = 'Active' and s.data_link
        and m.type in (${sql.join(obeyable)}) and not m.ask
        and m.pressed_at < ${new Date(stoppedAt)}::timestamptz
      for update of s
    ), stored as (
      insert into messages (session_id, version, command_id, sent_by, obeyed, pressed_at, sent_at)
      select id, message_version + 1, ${randomUUID()}::uuid, null, true, ${now}, ${now} from session
      on conflict do nothing
      returning session_id, ${sql.join(messageColumns.map(name => sql.ref(name)))}
    ), shown as (
      update sessions s set message_type = null, message_version = stored.version
      from stored
      where s.id = stored.session_id
    )
    select ${sql.join(messageColumns.map(name => sql.ref(name)))} from stored`.execute(db)
  const [row] = rows
  return row ? storedMessage(row) : null
}
