export interface NamedPerson {
  firstName: string | null
  lastName: string | null
  email: string | null
}

/** First and last name, or else the email address. */
export function nameOf({ firstName, lastName, email }: NamedPerson): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? '')
}
