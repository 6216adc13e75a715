import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storeNext } from '../messages/messages.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'
import { clearNewestPlaces } from '../telemetry/clearNewestPlaces.ts'
import { sessionForReader } from './sessions.ts'

/**
 * Turns the data link of an active session off or on. Off clears the message, and the speed and position that the team
 * sees. Idempotent. Refuses with `not-a-member`, viewers with `view-only`, or with `session-ended`.
 */
export async function setDataLink(
  context: Pick<AppContext, 'commandDb' | 'live' | 'recorder' | 'clock'>,
  userId: UserId,
  { sessionId, dataLink }: { sessionId: SessionId; dataLink: boolean },
): Promise<Session> {
  const { commandDb, live, recorder } = context
  const { cleared, session } = await commandDb.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    return {
      cleared: await change(trx, userId, { sessionId, dataLink, clock: context.clock }),
      session: await sessionForReader(trx, recorder, sessionId, userId),
    }
  })
  live.setDataLink(sessionId, dataLink)
  if (cleared)
    live.publish(`session:${sessionId}`, { t: 'message', session: sessionId, message: cleared })
  for (const room of [`session:${sessionId}`, `team:${session.teamId}`] as const)
    live.publish(room, { t: 'session-changed', session })
  return session
}

/** Returns the message that cleared the screen, if one was shown. */
async function change(
  trx: Kysely<Tables>,
  userId: UserId,
  {
    sessionId,
    dataLink,
    clock,
  }: { sessionId: SessionId; dataLink: boolean; clock: AppContext['clock'] },
): Promise<Message | null> {
  const known = await trx
    .selectFrom('sessions')
    .select(['status', 'data_link', 'message_type'])
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (known.status !== 'Active') throw new Refusal('session-ended')
  if (known.data_link === dataLink) return null
  const now = new Date(clock.now())
  const clear = { sessionId, onlyPhone: true, type: null, commandId: randomUUID() }
  const isShown = !dataLink && known.message_type !== null
  const [cleared] = isShown ? await storeNext(trx, userId, clear, clock) : []
  await trx
    .updateTable('sessions')
    .set({
      data_link: dataLink,
      ...(!dataLink && { phone: null }),
    })
    .where('id', '=', sessionId)
    .execute()
  if (!dataLink) await clearNewestPlaces(trx, [sessionId])
  if (dataLink) await endBreak(trx, sessionId, now)
  else await beginBreak(trx, sessionId, now)
  return cleared?.message ?? null
}

/** Stores that the data link is off from now on. */
export async function beginBreak(trx: Kysely<Tables>, sessionId: SessionId, now: Date) {
  await trx
    .insertInto('data_link_breaks')
    .values({ session_id: sessionId, off_at: now })
    // Turned on and off again within a millisecond.
    .onConflict(conflict => conflict.columns(['session_id', 'off_at']).doUpdateSet({ on_at: null }))
    .execute()
}

async function endBreak(trx: Kysely<Tables>, sessionId: SessionId, now: Date) {
  await trx
    .updateTable('data_link_breaks')
    .set({ on_at: now })
    .where('session_id', '=', sessionId)
    .where('on_at', 'is', null)
    .execute()
}
