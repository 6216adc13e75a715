/**
 * Validates the redirect target after signing in, which anyone may have written into the URL: returns a
 * path of this app, or null. Absolute URLs, "//host", "/\host" and paths that normalise to one of them
 * ("/.//host") would lead to other sites; /auth would redirect in circles.
 */
export function safeNext(next: string | null, origin: string): string | null {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return null
  const url = new URL(next, origin)
  if (url.origin !== origin || /^\/auth(\/|$)|\/\//.test(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** URL of the sign-in that redirects back to a place afterwards. */
export function signInFor(place: { pathname: string; search: string }): string {
  if (place.pathname + place.search === '/teams') return '/auth/sign-in'
  return `/auth/sign-in?${new URLSearchParams({ next: place.pathname + place.search })}`
}
