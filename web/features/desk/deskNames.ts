import type { Visitor } from '#contract/support.ts'
import type { Person } from '#contract/users.ts'
import { deskText } from '#web/text/desk.ts'

/** How a person is called here: by name, else by address. */
export function nameOf(person: Person | null | undefined): string {
  if (!person) return deskText.somebody
  const name = [person.firstName, person.lastName].filter(Boolean).join(' ')
  return name || (person.email ?? deskText.somebody)
}

/** What their plate is made of. */
export function plateOf(person: Person | null | undefined): string {
  return person?.lastName ?? person?.firstName ?? person?.email ?? ''
}

/** Which page of theirs it is, in words, where there are several: nothing else of it may be known. */
export function pageOf({ tabs }: Visitor, tabId: string): string[] {
  const at = tabs.findIndex(tab => tab.tabId === tabId)
  return at < 0 || tabs.length < 2 ? [] : [deskText.onePage(String(at + 1), String(tabs.length))]
}
