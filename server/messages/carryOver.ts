import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { Tables } from '../db/schema/tables.ts'
import { messageColumns, type StoredMessage, storedMessage } from './messageFromRow.ts'
import { maxSupersededKept } from './messages.ts'

/** Commands that reached the old phone: if they are repeated, they store nothing for the new one. */
const commandsKnown = maxSupersededKept / 2

/** A change of the phone in a car. */
export interface Takeover {
  from: SessionId
  to: SessionId
  /** When the phone before left the car, if no phone was in it since: what was sent to another one since then is newer. */
  since: EpochMs | null
}

/**
 * Stores what is on the screen of one phone of a car for another one that takes over from it: the same message with the
 * same sender, time of the press and expiry, as a new version. Call it in the transaction that changes the runs of the
 * car, which has locked all its sessions, and publish the result after the commit. Returns null if nothing was stored:
 * - the new phone has a newer message, or this one already, so that a repeated call changes nothing;
 * - its session has ended, or its data link is off;
 * - neither has a message. One that has expired, or that was cleared, clears the new screen.
 */
export async function carryOver(
  trx: Kysely<Tables>,
  { from, to, since }: Takeover,
  now: EpochMs,
): Promise<Message | null> {
  const at = sql`${new Date(now)}::timestamptz`
  const sentSince =
    since === null
      ? sql.lit(false)
      : sql`m.sent_at >= ${new Date(since)}::timestamptz and (s.race_id, s.car_id) = (
          select race_id, car_id from sessions where id = ${to}::uuid
        )`
  const { rows } = await sql<StoredMessage>`
    with old as (
      select m.*, coalesce(m.expires_at <= ${at}, false) or m.type is null as is_empty,
        array(
          select command_id from messages where session_id = s.id order by version desc
          limit ${sql.lit(commandsKnown)}
        ) || s.superseded_commands as commands
      from sessions s
      join messages m on m.session_id = s.id and m.version = s.message_version
      where s.id = ${from}::uuid or ${sentSince}
      order by m.sent_at desc
      limit 1
    ), taking_over as (
      select s.id, s.message_version, s.message_type, m.sent_at
      from sessions s
      left join messages m on m.session_id = s.id and m.version = s.message_version
      where s.id = ${to}::uuid and s.status = 'Active' and s.data_link
    ), stored as (
      insert into messages (
        session_id, version, command_id, type, colour, ask, carried_over, sent_by, by_plan, pressed_at, sent_at,
        expires_at
      )
      select taking_over.id, taking_over.message_version + 1, command_id,
        case when not is_empty then type end, case when not is_empty then colour end, ask and not is_empty, true,
        sent_by, by_plan, pressed_at, ${at}, case when not is_empty then expires_at end
      from old cross join taking_over
      where coalesce(taking_over.sent_at < old.sent_at, true)
        and not (is_empty and taking_over.message_type is null)
      on conflict (session_id, command_id) do nothing
      returning session_id, ${sql.join(messageColumns.map(name => sql.ref(name)))}
    ), shown as (
      update sessions s set
        message_type = case when stored.version is null then s.message_type else stored.type end,
        message_version = coalesce(stored.version, s.message_version),
        superseded_commands = (old.commands || s.superseded_commands)[1:${sql.lit(maxSupersededKept)}]
      from old cross join taking_over
      left join stored on stored.session_id = taking_over.id
      where s.id = taking_over.id
    )
    select ${sql.join(messageColumns.map(name => sql.ref(name)))} from stored`.execute(trx)
  const [row] = rows
  return row ? storedMessage(row) : null
}
