import type { Person } from '#contract/users.ts'

/** First and last name, or the email address without a full name. */
export function driverName({ firstName, lastName, email }: Person): string {
  if (firstName && lastName) return `${firstName} ${lastName}`
  return email ?? firstName ?? lastName ?? ''
}

/** Name for the three-letter plate: the last name, or else the first name or the email address. */
export function plateName({ firstName, lastName, email }: Person): string {
  return lastName ?? firstName ?? email ?? ''
}
