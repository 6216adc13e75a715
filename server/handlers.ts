import type { Kysely } from 'kysely'
import type { TeamId, UserId } from '#contract/ids.ts'
import type { AppContext, Caller } from './context.ts'
import type { Tables } from './db/schema/tables.ts'
import { requireMember } from './rights/requireMember.ts'

type Change<Input, Result> = (context: AppContext, userId: UserId, input: Input) => Promise<Result>
type Handler<Input, Output> = (call: { input: Input; caller: Caller }) => Promise<Output>

/** Returns the handlers that several topics share, made from functions that check the rights of the caller themselves. */
export function handlersOf(context: AppContext) {
  return {
    /** Changes something, and responds with nothing. */
    done:
      <Input>(change: Change<Input, unknown>): Handler<Input, Record<never, never>> =>
      async ({ input, caller }) => {
        await change(context, caller.userId, input)
        return {}
      },

    /** Changes something, and responds with what is stored afterwards. */
    changed:
      <Input, Output>(
        change: Change<Input, unknown>,
        read: (db: Kysely<Tables>, input: Input, caller: Caller) => Promise<Output>,
      ): Handler<Input, Output> =>
      async ({ input, caller }) => {
        await change(context, caller.userId, input)
        return read(context.db, input, caller)
      },

    /** Reads something of a team, for its members. */
    forMembers:
      <Input extends { teamId: TeamId }, Output>(
        read: (db: Kysely<Tables>, input: Input) => Promise<Output>,
      ): Handler<Input, Output> =>
      async ({ input, caller }) => {
        await requireMember(context.db, input.teamId, caller.userId)
        return read(context.db, input)
      },
  }
}
