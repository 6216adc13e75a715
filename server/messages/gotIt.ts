import type { Answer } from '#contract/answers.ts'
import type { SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { requireDataLink, requireStillSessionEditor } from '../rights/requireSession.ts'
import { answerOf } from './answers.ts'

interface Press {
  sessionId: SessionId
  /** The id of the problem. */
  answerId: string
}

/**
 * Stores and publishes that a member has got a problem of the driver. The first press counts: a later one stores nothing
 * and publishes the first again. Refuses who may not send, `not-found` for another answer, `session-ended` and
 * `data-link-off`.
 */
export async function storeGotIt(
  { commandDb, clock, live }: Pick<AppContext, 'commandDb' | 'clock' | 'live'>,
  userId: UserId,
  { sessionId, answerId }: Press,
): Promise<Answer> {
  const answer = await commandDb.transaction().execute(async trx => {
    requireDataLink(await requireStillSessionEditor(trx, sessionId, userId))
    // Locks the session, as an answer of the driver does, so that both get consecutive numbers.
    const session = await trx
      .selectFrom('sessions')
      .select(['answer_number', 'problem_number'])
      .where('id', '=', sessionId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const problem = await trx
      .selectFrom('answers')
      .select(['number', 'got_at'])
      .where('session_id', '=', sessionId)
      .where('id', '=', answerId)
      .where('kind', '=', 'Problem')
      .executeTakeFirst()
    if (!problem) throw new Refusal('not-found')
    const isOpen = problem.number === session.problem_number
    if (problem.got_at || !isOpen) return answerOf(trx, sessionId, problem.number)
    const number = session.answer_number + 1
    await trx
      .updateTable('answers')
      .set({ got_number: number, got_by: userId, got_at: new Date(clock.now()) })
      .where('session_id', '=', sessionId)
      .where('id', '=', answerId)
      .execute()
    await trx
      .updateTable('sessions')
      .set({ answer_number: number })
      .where('id', '=', sessionId)
      .execute()
    return answerOf(trx, sessionId, problem.number)
  })
  live.publish(`session:${sessionId}`, { t: 'answer', session: sessionId, answer })
  return answer
}
