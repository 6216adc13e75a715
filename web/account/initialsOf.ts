import type { Person } from '#contract/users.ts'

/** First letters of first and last name, or of the email address; "?" without any. */
export function initialsOf({ firstName, lastName, email }: Person): string {
  const letters = [firstName, lastName].map(firstLetter).join('')
  return (letters || firstLetter(email) || '?').toLocaleUpperCase()
}

function firstLetter(text: string | null): string {
  return text?.match(/[\p{L}\p{N}]\p{M}*/u)?.[0] ?? ''
}
