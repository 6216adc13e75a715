export const xsrfCookie = 'XSRF-TOKEN'

/**
 * Returns the header that repeats the XSRF cookie, for requests that change something on our own
 * server.
 */
export function xsrfHeaders(method: string, url: string): Record<string, string> {
  const token = ownCookie(xsrfCookie)
  if (token === null || !changesSomething(method) || !isRelative(url)) return {}
  return { 'X-XSRF-TOKEN': token }
}

/** Reads a cookie of this page that is not HttpOnly. */
export function ownCookie(name: string): string | null {
  for (const pair of document.cookie.split('; ')) {
    const [key, ...value] = pair.split('=')
    if (key === name) return decodeURIComponent(value.join('='))
  }
  return null
}

function changesSomething(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** The token must never be sent to another site: rejects a scheme and "//host". */
function isRelative(url: string): boolean {
  return !/^([a-z][a-z\d+.-]*:)?\/\//i.test(url)
}
