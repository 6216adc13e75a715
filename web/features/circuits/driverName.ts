import type { Person } from '#contract/users.ts'

/** Returns the first and last name, or the email address without a name. */
export function driverName({ firstName, lastName, email }: Person): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? '')
}

/** Returns the name for the three letters on the car. */
export function plateName({ firstName, lastName, email }: Person): string {
  return lastName ?? firstName ?? email ?? ''
}
