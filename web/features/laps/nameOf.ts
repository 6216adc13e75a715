import type { Person } from '#contract/users.ts'

/** Returns the first and last name, or the email address without one. */
export function nameOf({ firstName, lastName, email }: Person): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? '')
}
