import { keepingTest } from '#web/ui/keepingTest.ts'

/** Builds the path of another sign-in screen that keeps the email address, the redirect target, and for whom the address is. */
export function withEmail(path: string, email: string | null, search: URLSearchParams): string {
  const query = new URLSearchParams()
  // A usability test in the URL belongs to the target.
  const next = search.has('oruxt')
    ? keepingTest(search.get('next') ?? '/teams', search)
    : search.get('next')
  const attach = search.get('attach')
  if (email) query.set('email', email)
  if (next) query.set('next', next)
  if (attach) query.set('attach', attach)
  return query.size > 0 ? `${path}?${query}` : path
}

/** Returns the answer of `AfterQuestion` for `auth.verifyCode`. */
export function attachIn(search: URLSearchParams): { attach?: boolean } {
  const answer = search.get('attach')
  return answer === null ? {} : { attach: answer === 'yes' }
}
