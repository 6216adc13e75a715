/** Builds the path of another sign-in screen that keeps the email address and the redirect target. */
export function withEmail(path: string, email: string | null, search: URLSearchParams): string {
  const query = new URLSearchParams()
  const next = search.get('next')
  if (email) query.set('email', email)
  if (next) query.set('next', next)
  return query.size > 0 ? `${path}?${query}` : path
}
