import { type Kysely, type Selectable, sql } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { Message, MessageType, ReceiptStage } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { neverExpires } from '#contract/shared/messageExpiry.ts'
import { isOwnWord } from '#contract/shared/messageTypes.ts'
import { shownLetters } from '#contract/shared/ownWords.ts'
import type { MemberRole } from '#contract/teams.ts'
import type { AppContext } from '../context.ts'
import { prepared } from '../db/prepared.ts'
import type { MessagesTable, SessionsTable } from '../db/schema/sessions.ts'
import type { Tables } from '../db/schema/tables.ts'
import { refuseViewer } from '../rights/requireMember.ts'
import { requireDataLink, requireSessionEditor } from '../rights/requireSession.ts'
import { messageFromRow } from './messageFromRow.ts'
import { type MessageLimits, tooMany } from './messageLimits.ts'

interface Send {
  sessionId: SessionId
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
const maxSupersededKept = 50

/**
 * Stores the next version of a session's message and publishes it. Idempotent by command id: a repeated
 * command stores nothing, returns the current message and publishes it again, in case the server stopped
 * between storing and publishing it. So does one that a stored command has superseded. Refuses `not-a-member`,
 * `view-only`, `session-ended`, `data-link-off`, `too-many`, or with `invalid-input` a word that the team does not
 * have, and a command that arrives too late.
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
): Promise<Message> {
  const { sessionId } = send
  limits.countPerson(userId, send.type)
  if (!limits.allowsSession(sessionId, send.type)) {
    // A stranger must not learn how much is sent to the session.
    requireDataLink(await requireSessionEditor(commandDb, sessionId, userId))
    throw tooMany()
  }
  const stored = await storeNext(commandDb, userId, send, clock)
  // Counted only now, so that nobody but an editor can use up the session's limit.
  limits.countSession(sessionId, send.type)
  const message = stored ?? (await currentMessage(commandDb, sessionId))
  live.publish(`session:${sessionId}`, { t: 'message', session: sessionId, message })
  const { version } = message
  log.info(
    { sessionId, version, commandId: send.commandId, userId },
    stored ? 'message stored' : 'command repeated or superseded, current message sent again',
  )
  return message
}

/** The columns of a message by name: with `*` a prepared statement fails once the table has another column. */
const messageColumns = [
  'version',
  'type',
  'colour',
  'ask',
  'pressed_at',
  'sent_at',
  'sent_by',
  'reached_at',
  'shown_at',
  'copied_at',
  'expires_at',
] as const satisfies (keyof MessagesTable)[]

type MessageRow = Pick<Selectable<MessagesTable>, (typeof messageColumns)[number]>

interface StoredRow extends Pick<Selectable<SessionsTable>, 'status' | 'data_link'> {
  role: MemberRole
  has_word: boolean
  /** Null if nothing was stored: the columns of the message are null then. */
  version: number | null
}

/**
 * Stores the next version in one statement, which is a transaction of its own unless `db` is one. Returns null if the
 * command is already stored, or superseded. Locks the session's row, so that concurrent senders get consecutive
 * versions. Locks the membership first, in the same order as its removal does: a member removed at the same time is
 * either refused, or removed after the message.
 */
export async function storeNext(
  db: Kysely<Tables>,
  userId: UserId,
  send: Send,
  clock: Clock,
): Promise<Message | null> {
  const { type: sent } = send
  const isTeamWord = isOwnWord(sent)
  // The database refuses some characters, such as NUL, with an error. No word contains them.
  const type = isTeamWord && !shownLetters.test(sent) ? null : sent
  const now = clock.now()
  const pressedAt = Math.min(now, Math.max(send.pressedAt ?? now, now - maxPressAgeMs))
  const isLate = send.validUntil !== undefined && send.validUntil < now
  const superseded = sql`${`{${(send.supersedes ?? []).join(',')}}`}::text::uuid[]`
  const sentAt = sql`${new Date(now)}::timestamptz`
  const { rows } = await sql<StoredRow & MessageRow>`
    ${prepared} with sender as (
      -- The session, and the role of the sender in its team. No row for anybody else.
      select s.id, s.team_id, s.message_version, s.status, s.data_link, s.expire_after_s,
        s.superseded_commands, a.role
      from sessions s
      join team_access a on a.team_id = s.team_id
      where s.id = ${send.sessionId}::uuid and a.user_id = ${userId}::uuid
      for share of a
      for update of s
    ), own_word as (
      -- Empty for a word of the app, and for one that the team does not have.
      select w.colour from own_words w join sender on w.team_id = sender.team_id
      where ${isTeamWord}::boolean and w.text = ${type}::text
    ), stored as (
      insert into messages (
        session_id, version, command_id, type, colour, ask, sent_by, by_plan, pressed_at, sent_at, expires_at
      )
      select id, message_version + 1, ${send.commandId}::uuid, ${type}::text,
        (select colour from own_word), ${send.ask ?? false}::boolean, ${userId}::uuid,
        ${send.byPlan ?? false}::boolean, ${new Date(pressedAt)}::timestamptz, ${sentAt},
        case when ${neverExpires(send.type)}::boolean then null
          else ${sentAt} + expire_after_s * interval '1 second' end
      from sender
      -- Refused below: viewers, ended sessions, sessions without a data link, late commands, and unknown words.
      where role <> 'viewer' and status = 'Active' and data_link
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
    select sender.role, sender.status, sender.data_link, exists (select from own_word) as has_word,
      ${sql.join(messageColumns.map(name => sql.ref(`stored.${name}`)))}
    from sender
    left join stored on true`.execute(db)
  const [row] = rows
  if (!row) throw new Refusal('not-a-member')
  refuseViewer(row)
  requireDataLink({ status: row.status, dataLink: row.data_link })
  if (row.version !== null) return asMessage(row)
  const isUnknownWord = isTeamWord && !row.has_word
  if ((isLate || isUnknownWord) && !(await isStored(db, send)))
    throw new Refusal('invalid-input', { detail: isLate ? 'too-late' : 'word-unknown' })
  return null
}

/**
 * True if the command was stored before. Its repetition is accepted however late, and even if its word was changed or
 * deleted since.
 */
async function isStored(db: Kysely<Tables>, { sessionId, commandId }: Send): Promise<boolean> {
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

function asMessage(row: MessageRow): Message {
  return messageFromRow({ ...row, message_type: row.type, message_version: row.version })
}

interface ReceiptReport {
  version: number
  stage: ReceiptStage
  at: EpochMs
}

/**
 * Stores and publishes a receipt of the driver's phone. The first report of a stage sets its time; a later
 * stage implies the earlier ones. Only the current version can be acknowledged (`copied`). A repeated
 * receipt is published again, because a phone repeats it until it receives the published one.
 */
export async function recordReceipt(
  {
    commandDb: db,
    clock,
    live,
    metrics,
  }: Pick<AppContext, 'commandDb' | 'clock' | 'live' | 'metrics'>,
  sessionId: SessionId,
  { version, stage, at }: ReceiptReport,
) {
  const column = ({ reached: 'reached_at', shown: 'shown_at', copied: 'copied_at' } as const)[stage]
  // The phone's estimate of server time, limited to the span from sending the message to now.
  const when = sql<Date>`greatest(sent_at, ${new Date(Math.min(at, clock.now()))}::timestamptz)`
  const row = await db
    .updateTable('messages')
    .set({
      reached_at: sql`coalesce(reached_at, ${when})`,
      ...(stage !== 'reached' && { shown_at: sql`coalesce(shown_at, ${when})` }),
      ...(stage === 'copied' && { copied_at: when }),
    })
    .where('session_id', '=', sessionId)
    .where('version', '=', version)
    .where(column, 'is', null)
    .$if(stage === 'copied', query =>
      query.where(
        'version',
        '=',
        db.selectFrom('sessions').select('message_version').where('id', '=', sessionId),
      ),
    )
    .returning(messageColumns)
    .modifyEnd(prepared)
    .executeTakeFirst()
  const { sentAt, reachedAt, shownAt, copiedAt } = asMessage(
    row ?? (await requireRecorded(db, sessionId, version, column)),
  )
  if (row && stage === 'shown' && shownAt !== null && sentAt !== null)
    metrics.messageShown(shownAt - sentAt)
  live.publish(`session:${sessionId}`, {
    t: 'receipt',
    session: sessionId,
    version,
    receipt: { reachedAt, shownAt, copiedAt },
  })
}

/** Returns the message of a repeated receipt. Refuses `not-found` if this stage is not stored yet. */
async function requireRecorded(
  db: Kysely<Tables>,
  sessionId: SessionId,
  version: number,
  column: 'reached_at' | 'shown_at' | 'copied_at',
) {
  const recorded = await db
    .selectFrom('messages')
    .select(messageColumns)
    .where('session_id', '=', sessionId)
    .where('version', '=', version)
    .where(column, 'is not', null)
    .executeTakeFirst()
  if (!recorded) throw new Refusal('not-found')
  return recorded
}
