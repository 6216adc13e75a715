import type { Kysely } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Person } from '#contract/users.ts'
import { personFromRow, userById } from '#server/auth/people.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import type { SupportConfig } from '../settings.ts'

/**
 * Returns the person if they may act as an agent: the settings must contain the e-mail address of their login. It
 * is checked on each API request, when a socket opens and every 30 s while it is open, and never cached:
 * an agent removed from the settings loses access at the next check.
 */
export async function agentById(
  db: Kysely<Tables>,
  support: SupportConfig | undefined,
  userId: UserId,
): Promise<Person | null> {
  if (!support || support.admins.size === 0) return null
  const user = await userById(db, userId)
  if (!user || user.email === null || !support.admins.has(user.email)) return null
  return personFromRow(user)
}

/** The same, but refuses with `not-found`, so that support stays invisible. */
export async function requireAgent(...asked: Parameters<typeof agentById>): Promise<Person> {
  const agent = await agentById(...asked)
  if (!agent) throw new Refusal('not-found')
  return agent
}

/**
 * The agent's name for a visitor's page. An older build of the add-on inserts it as HTML, so characters
 * that are special in HTML are removed.
 */
export function agentName({ firstName, lastName, email }: Person): string {
  const name = [firstName, lastName].filter(Boolean).join(' ') || email || ''
  return name.replace(/[<>&"'`]/g, '').trim() || 'Support'
}
