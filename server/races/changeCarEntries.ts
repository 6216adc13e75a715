import type { Transaction } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeamOfSession } from '../rights/lockTeam.ts'
import { refusePractice } from '../rights/requireSession.ts'
import { carOfSession, type PhoneRow, phonesOfCar, sessionsOfCar } from './phonesOfCar.ts'
import { publishCar } from './runs.ts'
import { type DrivenSession, drivenSessions } from './storedCarRace.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder' | 'clock'>

/** A car whose sessions are locked. */
export interface LockedCar {
  /** The session on whose page the change is made. */
  session: DrivenSession
  /** All sessions of the car in its race, in order of their start. */
  phones: PhoneRow[]
  /** The race that it drives. */
  race: { ended_at: Date | null } | null
}

/**
 * Runs a change of the entries of a session's car, or of the session's car, race or automatic PIT; changes in one team run
 * one at a time. Refuses with `not-a-member`, viewers with `view-only`, and a practice car.
 */
export async function changeCarEntries(
  context: Context,
  userId: UserId,
  sessionId: SessionId,
  change: (trx: Transaction<Tables>, car: LockedCar) => Promise<void>,
  onCommitted: () => Promise<void> = async () => {},
) {
  const { db } = context
  const before = await carOfSession(db, sessionId)
  await db.transaction().execute(async trx => {
    await lockTeamOfSession(trx, sessionId, userId)
    await lockedInOrder(trx)
      .where(isOneOf('sessions.id', [...(await sessionsOfCar(trx, sessionId)), sessionId]))
      .execute()
    const session = await drivenSessions(trx)
      .where('sessions.id', '=', sessionId)
      .executeTakeFirst()
    if (!session) throw new Refusal('not-a-member')
    refusePractice(session)
    const { race_id } = session
    const race = await trx
      .selectFrom('races')
      .select('ended_at')
      .where('id', '=', race_id)
      .executeTakeFirst()
    await change(trx, { session, phones: await phonesOfCar(trx, session), race: race ?? null })
  })
  await onCommitted()
  await publishCar(context, sessionId, { before, changed: [sessionId] })
}

/**
 * Returns the time in which something can be entered about a car: from the start of its first session until now, or until
 * its last session ended if no other one can follow.
 */
export function timesOf(
  { race, phones }: LockedCar,
  nowMs: EpochMs,
): { from: EpochMs; until: EpochMs } {
  const [first] = phones
  const ends = phones.map(({ date_ended }) => date_ended?.getTime() ?? nowMs)
  const mayFollow = race !== null && race.ended_at === null
  return {
    from: first?.date_started.getTime() ?? nowMs,
    until: mayFollow ? nowMs : Math.min(nowMs, greatestOf(ends)),
  }
}

export function idsOf({ phones }: LockedCar): SessionId[] {
  return phones.map(({ id }) => id)
}
