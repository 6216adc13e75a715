import { type Kysely, sql } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { users } from '#contract/users.ts'
import { clearLoginCookie } from '../auth/logins/loginCookie.ts'
import { meFromRow, personFromRow, userById, userColumns } from '../auth/people.ts'
import type { AppContext, Caller } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { HandlersOf } from '../http/route.ts'
import { deleteUserPositions } from '../races/deleteOwnPositions.ts'
import { publishUserChanged } from '../teams/userChanged.ts'
import { changeEmailCalls } from './changeEmail.ts'
import { deleteAccount } from './deleteAccount.ts'

export function userCalls(context: AppContext): HandlersOf<typeof users, Caller> {
  const { db } = context
  return {
    async me({ caller }) {
      const row = await userById(db, caller.userId)
      if (!row) throw new Refusal('not-signed-in')
      return meFromRow(row)
    },

    async get({ input, caller }) {
      const row = await visibleUser(db, caller.userId, input.userId)
      if (!row) throw new Refusal('not-found')
      return personFromRow(row)
    },

    async rename({ input, caller }) {
      const row = await db
        .updateTable('users')
        .set({ first_name: input.firstName, last_name: input.lastName })
        .where('id', '=', caller.userId)
        .returning(userColumns)
        .executeTakeFirst()
      if (!row) throw new Refusal('not-signed-in')
      const me = meFromRow(row)
      await publishUserChanged(context, me)
      return me
    },

    ...changeEmailCalls(context),

    async delete({ input, caller, reply }) {
      await deleteAccount(context, caller, input.email)
      clearLoginCookie(reply, context.publicUrl())
      // Browsers cache photos for an hour.
      reply.header('clear-site-data', '"cache"')
      return {}
    },

    deletePositions: ({ caller }) => deleteUserPositions(context, caller.userId),
  }
}

/** Finds a user that the caller may see: themselves, or a member of a shared team. */
function visibleUser(db: Kysely<Tables>, self: UserId, other: UserId) {
  return db
    .selectFrom('users')
    .select(userColumns)
    .where('id', '=', other)
    .where(
      sql<boolean>`(id = ${self} or exists (
        select from team_access mine
        join team_access theirs on theirs.team_id = mine.team_id
        where mine.user_id = ${self} and theirs.user_id = users.id
      ))`,
    )
    .executeTakeFirst()
}
