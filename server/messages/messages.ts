import { type Kysely, type Selectable, sql } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Message, MessageType, ReceiptStage } from '#contract/sessions/messages.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { isOwnWord, neverExpire } from '#contract/shared/messageTypes.ts'
import type { AppContext } from '../context.ts'
import type { MessagesTable, Tables } from '../db/schema/tables.ts'
import { requireDataLink, sessionForEditor, sessionForMember } from '../sessions/sessions.ts'
import { refuseViewer } from '../teams/members.ts'
import { colourOfWord } from '../teams/words/ownWords.ts'
import { messageFromRow } from './messageFromRow.ts'
import type { MessageLimits } from './messageLimits.ts'

interface Send {
  sessionId: SessionId
  type: MessageType | null
  ask?: boolean | undefined
  commandId: string
  /** True if the plan sends it in the name of the person who turned that on. */
  byPlan?: boolean | undefined
  pressedAt?: EpochMs | undefined
}

/** The maximum delay between a press and its request. An older press time is a clock error, and is limited. */
const maxPressAgeMs = 10 * 60 * 1000

/**
 * Stores the next version of a session's message and publishes it. Idempotent by command id: a repeated
 * command stores nothing, returns the current message and publishes it again, in case the server stopped
 * between storing and publishing it. Refuses `not-a-member`, `view-only`,
 * `session-ended`, `data-link-off`, `too-many`, or with `invalid-input` a word that the team does not have.
 */
export async function setMessage(
  {
    commandDb,
    clock,
    live,
    recorder,
    limits,
  }: Pick<AppContext, 'commandDb' | 'clock' | 'live' | 'recorder'> & { limits: MessageLimits },
  userId: UserId,
  send: Send,
): Promise<Message> {
  limits.countPerson(userId, send.type)
  const session = await sessionForEditor(commandDb, recorder, send.sessionId, userId)
  requireDataLink(session)
  limits.countSession(send.sessionId, send.type)
  const stored = await commandDb.transaction().execute(trx => storeNext(trx, userId, send, clock))
  const message =
    stored ?? (await sessionForMember(commandDb, recorder, send.sessionId, userId)).message
  live.publish(`session:${send.sessionId}`, { t: 'message', session: send.sessionId, message })
  return message
}

/**
 * Returns null if the command is already stored. Locks the session's row, so that concurrent senders get
 * consecutive versions. Locks the membership first, in the same order as its removal does: a member removed
 * at the same time is either refused, or removed after the message.
 */
export async function storeNext(
  trx: Kysely<Tables>,
  userId: UserId,
  send: Send,
  clock: Clock,
): Promise<Message | null> {
  const session = await trx
    .selectFrom('sessions')
    .innerJoin('team_access', 'team_access.team_id', 'sessions.team_id')
    .select([
      'sessions.team_id',
      'message_version',
      'status',
      'data_link',
      'expire_after_s',
      'role',
    ])
    .where('sessions.id', '=', send.sessionId)
    .where('team_access.user_id', '=', userId)
    .forShare('team_access')
    .forUpdate('sessions')
    .executeTakeFirst()
  if (!session) throw new Refusal('not-a-member')
  refuseViewer(session)
  requireDataLink({ status: session.status, dataLink: session.data_link })
  const colour = isOwnWord(send.type) ? await colourOfWord(trx, session.team_id, send.type) : null
  if (colour === undefined) {
    if (await isStored(trx, send)) return null
    throw new Refusal('invalid-input', { detail: 'word-unknown' })
  }
  const now = clock.now()
  const pressedAt = send.pressedAt ?? now
  const row = await trx
    .insertInto('messages')
    .values({
      session_id: send.sessionId,
      version: session.message_version + 1,
      command_id: send.commandId,
      type: send.type,
      colour,
      ask: send.ask ?? false,
      sent_by: userId,
      by_plan: send.byPlan ?? false,
      pressed_at: new Date(Math.min(now, Math.max(pressedAt, now - maxPressAgeMs))),
      sent_at: new Date(now),
      expires_at: neverExpire.includes(send.type)
        ? null
        : new Date(now + session.expire_after_s * 1000),
    })
    .onConflict(conflict => conflict.columns(['session_id', 'command_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  await trx
    .updateTable('sessions')
    .set({ message_type: row.type, message_version: row.version })
    .where('id', '=', send.sessionId)
    .execute()
  return asMessage(row)
}

/** True if the command was stored before. Its repetition is accepted even if its word was changed or deleted since. */
async function isStored(trx: Kysely<Tables>, { sessionId, commandId }: Send): Promise<boolean> {
  const stored = await trx
    .selectFrom('messages')
    .select('version')
    .where('session_id', '=', sessionId)
    .where('command_id', '=', commandId)
    .executeTakeFirst()
  return stored !== undefined
}

function asMessage(row: Selectable<MessagesTable>): Message {
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
    .returningAll()
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
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('version', '=', version)
    .where(column, 'is not', null)
    .executeTakeFirst()
  if (!recorded) throw new Refusal('not-found')
  return recorded
}
