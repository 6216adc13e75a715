import { keepingTest } from '#web/ui/keepingTest.ts'

/** Builds the path of another sign-in screen that keeps the email address and the redirect target. */
export function withEmail(path: string, email: string | null, search: URLSearchParams): string {
  const query = new URLSearchParams()
  // A usability test in the URL belongs to the target.
  const next = search.has('oruxt')
    ? keepingTest(search.get('next') ?? '/teams', search)
    : search.get('next')
  if (email) query.set('email', email)
  if (next) query.set('next', next)
  return query.size > 0 ? `${path}?${query}` : path
}
