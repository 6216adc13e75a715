import type { Kysely } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Person } from '#contract/users.ts'
import { personFromRow } from '../auth/people.ts'
import { userById } from '../auth/users.ts'
import type { Tables } from '../db/tables.ts'
import type { SupportConfig } from './settings.ts'

/**
 * The person, if they may act as an agent: their address, which they signed in with, is in the settings at
 * this moment. It is looked at with each call of the API, when a socket is opened and every 30 s while it is
 * open, and is stored nowhere: whoever is taken out of the settings is out by then.
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

/** The same, or refuses as if there were nothing here. */
export async function requireAgent(...asked: Parameters<typeof agentById>): Promise<Person> {
  const agent = await agentById(...asked)
  if (!agent) throw new Refusal('not-found')
  return agent
}

/**
 * How an agent is called on a visitor's page. The add-on of an older build puts it in as HTML, so nothing
 * that HTML knows is in it.
 */
export function agentName({ firstName, lastName, email }: Person): string {
  const name = [firstName, lastName].filter(Boolean).join(' ') || email || ''
  return name.replace(/[<>&"'`]/g, '').trim() || 'Support'
}
