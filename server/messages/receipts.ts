import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { ReceiptStage } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import { messageColumns, storedMessage } from './messageFromRow.ts'

interface ReceiptReport {
  version: number
  stage: ReceiptStage
  at: EpochMs
}

/**
 * Stores and publishes a receipt of the driver's phone. The first report of a stage sets its time; a later
 * stage implies the earlier ones. Only the current version can be acknowledged (`copied`). A repeated
 * receipt is published again, because a phone repeats it until it receives the published one. The metric leaves out a
 * message whose `copied` came first: when its screen showed it is not known.
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
  const { sentAt, reachedAt, shownAt, copiedAt } = storedMessage(
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
