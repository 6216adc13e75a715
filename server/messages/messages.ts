import { type Kysely, type Selectable, sql } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { Message, MessageType } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { neverExpires } from '#contract/shared/messageExpiry.ts'
import { isOwnWord } from '#contract/shared/messageTypes.ts'
import { shownLetters } from '#contract/shared/ownWords.ts'
import type { MemberRole } from '#contract/teams.ts'
import type { AppContext } from '../context.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import { refuseViewer } from '../rights/requireMember.ts'
import { requireDataLink, requireSessionEditor } from '../rights/requireSession.ts'
import {
  messageColumns,
  messageFromRow,
  type StoredMessage,
  storedMessage,
} from './messageFromRow.ts'
import { type MessageLimits, tooMany } from './messageLimits.ts'

interface Send {
  /** Addresses the phone in its car: see `storeNext`. */
  sessionId: SessionId
  /** True if all active phones of the car are meant while none is in the car. */
  toCar?: boolean | undefined
  /** True if this phone alone is meant, in the car or not. */
  onlyPhone?: boolean | undefined
  type: MessageType | null
  ask?: boolean | undefined
  commandId: string
  /** Earlier commands of the sender, which store nothing any more. */
  supersedes?: readonly string[] | undefined
  /** True if the plan sends it in the name of the person who turned that on. */
  byPlan?: boolean | undefined
  pressedAt?: EpochMs | undefined
  /** The sender has shown the command as failed after this time. */
  validUntil?: EpochMs | undefined
}

/** The maximum delay between a press and its request. An older press time is a clock error, and is limited. */
const maxPressAgeMs = 10 * 60 * 1000

/**
 * How many superseded commands a session keeps: each had no response for `responseTimeoutMs` (`web/api/call.ts`), and
 * hardly arrives minutes later.
 */
export const maxSupersededKept = 50

/**
 * Stores the next version of the message of each addressed phone and publishes it. Returns that of the phone in the car,
 * with its session.
 * Idempotent by command id: a repeated command stores nothing, returns the current message and publishes it again, in
 * case the server stopped between storing and publishing it. So does one that a stored command has superseded. Refuses
 * `not-a-member`, `view-only`, `session-ended`, `data-link-off`, `too-many`, or with `invalid-input` a word that the team
 * does not have, and a command that arrives too late.
 */
export async function setMessage(
  {
    commandDb,
    clock,
    live,
    limits,
    log,
  }: Pick<AppContext, 'commandDb' | 'clock' | 'live'> & {
    limits: MessageLimits
    /** The log of the request, whose lines have its id. */
    log: Pick<AppContext['log'], 'info'>
  },
  userId: UserId,
  send: Send,
): Promise<Message & { sessionId: SessionId }> {
  limits.countPerson(userId, send.type)
  if (!limits.allowsSession(send.sessionId, send.type)) {
    // A stranger must not learn how much is sent to the session.
    requireDataLink(await requireSessionEditor(commandDb, send.sessionId, userId))
    throw tooMany()
  }
  const [first, ...others] = await storeNext(commandDb, userId, send, clock)
  // Counted only now, so that nobody but an editor can use up the session's limit.
  limits.countSession(send.sessionId, send.type)
  const publish = async ({ sessionId, message: stored }: Addressed) => {
    const message = stored ?? (await currentMessage(commandDb, sessionId))
    publishMessage(live, sessionId, message)
    const { version } = message
    log.info(
      { sessionId, version, commandId: send.commandId, userId },
      stored ? 'message stored' : 'command repeated or superseded, current message sent again',
    )
    return { ...message, sessionId }
  }
  const message = await publish(first)
  for (const each of others) await publish(each)
  return message
}

/** Publishes the message of a phone to everybody in its session. Call it after the commit. */
export function publishMessage(
  live: Pick<Live, 'publish'>,
  sessionId: SessionId,
  message: Message,
) {
  live.publish(`session:${sessionId}`, { t: 'message', session: sessionId, message })
}

interface StoredRow extends Pick<Selectable<Tables['sessions']>, 'id' | 'status' | 'data_link'> {
  role: MemberRole
  has_word: boolean
  /** True if another phone took over the car before the command. Nothing was stored then. */
  has_moved: boolean
  /** Null if nothing was stored: the columns of the message are null then. */
  version: number | null
}

/** A phone to which a message was sent. */
export interface Addressed {
  readonly sessionId: SessionId
  /** The message that was stored for it; null if it has the command already, or a later one. */
  readonly message: Message | null
}

/**
 * Stores the next version for each addressed phone in one statement, which is a transaction of its own unless `db` is
 * one. Addressed are the phone in the car of the session, in the race of the session, and those that may be in the car
 * instead. While none is, or without a race or a car, it is the session itself or with `toCar` every active session of
 * the car. Returns at least one phone, first the one in the car.
 *
 * Locks the rows of the sessions, so that concurrent senders get consecutive versions. Locks the membership first, in
 * the same order as its removal does: a member removed at the same time is either refused, or removed after the message.
 * A change of the runs of a car must lock all sessions of the car before: then it sees every message that was sent to the
 * phone before (`carryOver`), and each later one goes to the new phone.
 */
export async function storeNext(
  db: Kysely<Tables>,
  userId: UserId,
  send: Send,
  clock: Clock,
): Promise<[Addressed, ...Addressed[]]> {
  const { type: sent } = send
  const isTeamWord = isOwnWord(sent)
  // The database refuses some characters, such as NUL, with an error. No word contains them.
  const type = isTeamWord && !shownLetters.test(sent) ? null : sent
  const now = clock.now()
  const pressedAt = Math.min(now, Math.max(send.pressedAt ?? now, now - maxPressAgeMs))
  const isLate = send.validUntil !== undefined && send.validUntil < now
  const superseded = sql`${`{${(send.supersedes ?? []).join(',')}}`}::text::uuid[]`
  const sentAt = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<StoredRow & StoredMessage>`
    ${prepared} with addressed as (
      -- The phones, first the one in the car, and the open run. No run without a race, or without a car.
      select r.race_id, r.car_id, r.from_at,
        coalesce(
          case when r.session_id is not null then r.session_id || r.unsure end,
          (
            select array_agg(c.id order by c.id <> s.id, c.date_started desc) from sessions c
            where ${send.toCar ?? false}::boolean
              and c.race_id = s.race_id and c.car_id = s.car_id and c.status = 'Active'
          ),
          array[s.id]
        ) as phones
      from sessions s
      left join (car_runs r join sessions phone on phone.id = r.session_id and phone.status = 'Active')
        on r.race_id = s.race_id and r.car_id = s.car_id and r.until_at is null
          and not ${send.onlyPhone ?? false}::boolean
      where s.id = ${send.sessionId}::uuid
    ), sender as (
      -- The sessions, and the role of the sender in their team. No row for anybody else.
      select s.id, s.team_id, s.message_version, s.status, s.data_link, s.expire_after_s,
        s.superseded_commands, a.role, phone.place
      from addressed
      cross join unnest(addressed.phones) with ordinality as phone (id, place)
      join sessions s on s.id = phone.id
      join team_access a on a.team_id = s.team_id
      where a.user_id = ${userId}::uuid
      order by s.id
      for share of a
      for update of s
    ), kept as (
      -- The open run, unless it ended while this statement waited for the sessions.
      select r.from_at from car_runs r
      join addressed on addressed.race_id = r.race_id and addressed.car_id = r.car_id
        and addressed.from_at = r.from_at
      where r.until_at is null and r.session_id || r.unsure = addressed.phones
        and (select count(*) from sender) > 0
      for share of r
    ), moved as (
      select from_at is not null and not exists (select from kept) as has_moved from addressed
    ), own_word as (
      -- Empty for a word of the app, and for one that the team does not have.
      select w.colour from own_words w
      where ${isTeamWord}::boolean and w.text = ${type}::text
        and w.team_id = (select team_id from sender limit 1)
    ), stored as (
      insert into messages (
        session_id, version, command_id, type, colour, ask, sent_by, by_plan, pressed_at, sent_at, expires_at
      )
      select id, message_version + 1, ${send.commandId}::uuid, ${type}::text,
        (select colour from own_word), ${send.ask ?? false}::boolean, ${userId}::uuid,
        ${send.byPlan ?? false}::boolean, ${new Date(pressedAt)}::timestamptz, ${sentAt},
        case when ${neverExpires(send.type)}::boolean then null
          else ${sentAt} + expire_after_s * interval '1 second' end
      from sender cross join moved
      -- Refused below: viewers, ended sessions, sessions without a data link, late commands, and unknown words.
      where role <> 'viewer' and status = 'Active' and data_link
        and not has_moved
        and not ${isLate}::boolean
        and (not ${isTeamWord}::boolean or exists (select from own_word))
        and ${send.commandId}::uuid <> all (superseded_commands)
      -- A repeated command stores nothing.
      on conflict (session_id, command_id) do nothing
      returning session_id, ${sql.join(messageColumns.map(name => sql.ref(name)))}
    ), shown as (
      -- The session shows the stored message from now on.
      update sessions s set message_type = stored.type, message_version = stored.version,
        superseded_commands = (${superseded} || s.superseded_commands)[1:${sql.lit(maxSupersededKept)}]
      from stored
      where s.id = stored.session_id
    )
    -- The reasons of a refusal, and the message if it was stored.
    select sender.id, sender.role, sender.status, sender.data_link, has_moved,
      exists (select from own_word) as has_word,
      ${sql.join(messageColumns.map(name => sql.ref(`stored.${name}`)))}
    from sender cross join moved
    left join stored on stored.session_id = sender.id
    order by sender.place`.execute(db)
  const [first] = rows
  if (!first) throw new Refusal('not-a-member')
  if (first.has_moved) return storeNext(db, userId, send, clock)
  refuseViewer(first)
  const isOpen = (row: StoredRow) => row.status === 'Active' && row.data_link
  const main = rows.find(isOpen) ?? first
  requireDataLink({ status: main.status, dataLink: main.data_link })
  const isUnknownWord = isTeamWord && !main.has_word
  if ((isLate || isUnknownWord) && !(await isStored(db, main.id, send)))
    throw new Refusal('invalid-input', { detail: isLate ? 'too-late' : 'word-unknown' })
  const others = rows.filter(row => row !== main && isOpen(row))
  return [addressedOf(main), ...others.map(addressedOf)]
}

function addressedOf(row: StoredRow & StoredMessage): Addressed {
  return { sessionId: row.id, message: row.version === null ? null : storedMessage(row) }
}

/**
 * True if the command was stored before. Its repetition is accepted however late, and even if its word was changed or
 * deleted since.
 */
async function isStored(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { commandId }: Pick<Send, 'commandId'>,
): Promise<boolean> {
  const stored = await db
    .selectFrom('messages')
    .select('version')
    .where('session_id', '=', sessionId)
    .where('command_id', '=', commandId)
    .executeTakeFirst()
  return stored !== undefined
}

async function currentMessage(db: Kysely<Tables>, sessionId: SessionId): Promise<Message> {
  const row = await db
    .selectFrom('sessions_view')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return messageFromRow(row)
}
