import type { Person } from '#contract/users.ts'

/** First and last name, or the e-mail if there is no full name. */
export function driverName({ firstName, lastName, email }: Person): string {
  if (firstName && lastName) return `${firstName} ${lastName}`
  return email ?? firstName ?? lastName ?? ''
}

/** What the three-letter plate is made of: the last name, or what there is instead. */
export function plateName({ firstName, lastName, email }: Person): string {
  return lastName ?? firstName ?? email ?? ''
}
