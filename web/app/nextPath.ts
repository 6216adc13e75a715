/**
 * Where to go after signing in, from an address that anyone may have written: a path of this app, or
 * none. "//host", "/\host", what becomes one of them without its dots ("/.//host"), and whole addresses
 * would lead to other sites; /auth would lead in circles.
 */
export function safeNext(next: string | null, origin: string): string | null {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return null
  const url = new URL(next, origin)
  if (url.origin !== origin || /^\/auth(\/|$)|\/\//.test(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** The sign-in that comes back to a place afterwards. */
export function signInFor(place: { pathname: string; search: string }): string {
  if (place.pathname === '/teams') return '/auth/sign-in'
  return `/auth/sign-in?${new URLSearchParams({ next: place.pathname + place.search })}`
}
