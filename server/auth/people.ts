import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import type { LoginKind, Me, Person } from '#contract/users.ts'
import type { Tables } from '../db/schema/tables.ts'
import { loginKind } from './logins/loginKind.ts'

/** The name of every deleted user in the sessions and messages of their teams. */
export const deletedUser = { first_name: 'Deleted', last_name: 'user' }

/** Columns of `users` that `meFromRow` reads. */
export const userColumns = [
  'users.id',
  'users.email',
  'users.first_name',
  'users.last_name',
  'users.is_anonymous',
  loginKind,
] as const

/** Columns of `users` or `team_users_view` that `personFromRow` reads. */
export type PersonRow = Pick<
  Selectable<Tables['users']>,
  'id' | 'email' | 'first_name' | 'last_name'
>

export type UserRow = PersonRow &
  Pick<Selectable<Tables['users']>, 'is_anonymous'> & { kind: LoginKind }

export function personFromRow(row: PersonRow): Person {
  return { id: row.id, firstName: row.first_name, lastName: row.last_name, email: row.email }
}

export function meFromRow(row: UserRow): Me {
  return { ...personFromRow(row), isAnonymous: row.is_anonymous, kind: row.kind }
}

export function userById(db: Kysely<Tables>, userId: UserId): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(userColumns).where('id', '=', userId).executeTakeFirst()
}

/** Returns the name of a person, without their e-mail address: televisions read it, too. Empty if unknown. */
export function personName({
  first_name,
  last_name,
}: {
  first_name: string | null
  last_name: string | null
}): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}

/** SQL on `users` or an alias of it: the first and last name, or the e-mail address of a user without a name. */
export function nameOrEmail(users = 'users'): RawBuilder<string | null> {
  const column = (name: string) => sql.ref(`${users}.${name}`)
  const name = sql`concat_ws(' ', ${column('first_name')}, ${column('last_name')})`
  return sql`coalesce(nullif(${name}, ''), ${column('email')})`
}
