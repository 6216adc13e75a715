import { sql } from 'kysely'
import type { LoginKind } from '#contract/users.ts'

/** SQL on `users`: true for a person who joined by a code and can sign in nowhere else. */
export const isOnOneDevice = sql<boolean>`(users.joined and not exists (
  select from passkeys where passkeys.user_id = users.id
))`

/** SQL on `users`: how much the logins of a user may do. */
export const loginKind = sql<LoginKind>`case
  when not users.is_anonymous then 'account'
  when not users.joined then 'anonymous'
  when ${isOnOneDevice} then 'joined'
  else 'account'
end`.as('kind')
