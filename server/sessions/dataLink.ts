import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { LoggedDataLink, Session } from '#contract/sessions.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import { personName } from '../auth/people.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import { publishMessage, storeNext } from '../messages/messages.ts'
import { recordCarChange } from '../teams/recordCarChange.ts'
import { clearNewestPlaces } from '../telemetry/clearNewestPlaces.ts'
import { changeSettings, publishSettings, requireActive } from './sharedSettings.ts'

/**
 * Turns the data link of a car off or on, while the session is active. Off clears the message, and the speed and position
 * that the team sees. Idempotent. Refuses with `not-a-member`, viewers with `view-only`, or with `session-ended`.
 */
export async function setDataLink(
  context: Pick<AppContext, 'commandDb' | 'live' | 'recorder' | 'clock'>,
  userId: UserId,
  { sessionId, dataLink }: { sessionId: SessionId; dataLink: boolean },
): Promise<Session> {
  const { commandDb, live, recorder, clock } = context
  let cleared: readonly ClearedPhone[] = []
  const sessions = await changeSettings(commandDb, userId, sessionId, async (trx, ids) => {
    await requireActive(trx, sessionId)
    const { data_link: wasOn } = await trx
      .selectFrom('sessions')
      .select('data_link')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    cleared = await storeDataLink(trx, userId, { sessions: ids, dataLink, clock })
    if (wasOn === dataLink) return
    const kind = dataLink ? 'data-link-on' : 'data-link-off'
    await recordCarChange(trx, { sessionId, kind, actorId: userId, at: clock.now() })
  })
  publishDataLink(live, { sessions, dataLink, cleared })
  return publishSettings({ db: commandDb, live, recorder }, userId, { sessionId, sessions })
}

/** A phone whose screen was cleared. */
export interface ClearedPhone {
  readonly sessionId: SessionId
  readonly message: Message
}

/**
 * Turns the data link of active sessions off or on, which are locked, in the name of a member. Returns the messages that
 * cleared screens: call `publishDataLink` after the commit.
 */
export async function storeDataLink(
  trx: Kysely<Tables>,
  userId: UserId,
  {
    sessions,
    dataLink,
    clock,
  }: { sessions: readonly SessionId[]; dataLink: boolean; clock: AppContext['clock'] },
): Promise<ClearedPhone[]> {
  const now = new Date(clock.now())
  const changing = await trx
    .selectFrom('sessions')
    .select(['id', 'message_type'])
    .where(isOneOf('id', sessions))
    .where('data_link', '!=', dataLink)
    .execute()
  const cleared: ClearedPhone[] = []
  for (const { id, message_type } of changing) {
    if (!dataLink && message_type !== null) {
      const clear = { sessionId: id, onlyPhone: true, type: null, commandId: randomUUID() }
      for (const { message } of await storeNext(trx, userId, clear, clock))
        if (message) cleared.push({ sessionId: id, message })
    }
    await trx
      .updateTable('sessions')
      .set({ data_link: dataLink, ...(!dataLink && { phone: null }) })
      .where('id', '=', id)
      .execute()
    if (!dataLink) await clearNewestPlaces(trx, [id])
    if (dataLink) await endBreak(trx, { session_id: id, on_at: now, on_by: userId })
    else await beginBreak(trx, { session_id: id, off_at: now, off_by: userId })
  }
  return cleared
}

/** Publishes to the phones and to other nodes that the data link of sessions is off or on. */
export function publishDataLink(
  live: Pick<Live, 'publish' | 'setDataLink'>,
  {
    sessions,
    dataLink,
    cleared,
  }: {
    sessions: readonly SessionId[]
    dataLink: boolean
    cleared: readonly ClearedPhone[]
  },
) {
  for (const id of sessions) live.setDataLink(id, dataLink)
  for (const { sessionId, message } of cleared) publishMessage(live, sessionId, message)
}

/** Stores that the data link is off from a time on. */
export async function beginBreak(
  trx: Kysely<Tables>,
  values: Omit<Insertable<Tables['data_link_breaks']>, 'on_at' | 'on_by'>,
) {
  await trx
    .insertInto('data_link_breaks')
    .values(values)
    // Turned on and off again within a millisecond.
    .onConflict(conflict =>
      conflict
        .columns(['session_id', 'off_at'])
        .doUpdateSet({ on_at: null, on_by: null, off_by: values.off_by }),
    )
    .execute()
}

async function endBreak(
  trx: Kysely<Tables>,
  { session_id, ...end }: { session_id: SessionId; on_at: Date; on_by: UserId },
) {
  await trx
    .updateTable('data_link_breaks')
    .set(end)
    .where('session_id', '=', session_id)
    .where('on_at', 'is', null)
    .execute()
}

/** Reads when the data link of a session was switched off and on, in order of time. The caller must have checked the rights. */
export async function dataLinkLog(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<LoggedDataLink[]> {
  const breaks = await db
    .selectFrom('data_link_breaks')
    .leftJoin('users as off', 'off.id', 'off_by')
    .leftJoin('users as on', 'on.id', 'on_by')
    .select(['off_at', 'off.first_name as off_first', 'off.last_name as off_last'])
    .select(['on_at', 'on.first_name as on_first', 'on.last_name as on_last'])
    .where('session_id', '=', sessionId)
    .orderBy('off_at', 'desc')
    .limit(pages.changes)
    .execute()
  return breaks.reverse().flatMap(row => {
    const offBy = personName({ first_name: row.off_first, last_name: row.off_last })
    const off = { dataLink: false, at: row.off_at.getTime(), by: offBy || null }
    if (!row.on_at) return [off]
    const onBy = personName({ first_name: row.on_first, last_name: row.on_last })
    return [off, { dataLink: true, at: row.on_at.getTime(), by: onBy || null }]
  })
}
