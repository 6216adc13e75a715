import type { Person } from '#contract/users.ts'
import type { Visitor } from '#support/contract/support.ts'
import { deskText } from '#support/web/text/desk.ts'

/** Display name of a person: the name, or else the email address. */
export function nameOf(person: Person | null | undefined): string {
  if (!person) return deskText.somebody
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ')
  return name || (person.email ?? deskText.somebody)
}

/** Name for the person's three-letter plate. */
export function plateOf(person: Person | null | undefined): string {
  return person?.lastName ?? person?.firstName ?? person?.email ?? ''
}

/**
 * Position of a tab among the visitor's tabs, as text; empty for a single tab. Nothing else about a tab
 * may be known.
 */
export function pageOf({ tabs }: Visitor, tabId: string): string[] {
  const at = tabs.findIndex(tab => tab.tabId === tabId)
  return at < 0 || tabs.length < 2 ? [] : [deskText.onePage(String(at + 1), String(tabs.length))]
}
