export const xsrfCookie = 'XSRF-TOKEN'

/** The header that repeats the cookie: for what changes something at an address of our own. */
export function xsrfHeader(method: string, url: string): Record<string, string> {
  const token = ownCookie(xsrfCookie)
  if (token === null || !changesSomething(method) || !isRelative(url)) return {}
  return { 'X-XSRF-TOKEN': token }
}

/** A cookie that this page may read. */
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

/** Another site must never be told the token: no scheme, and no "//host". */
function isRelative(url: string): boolean {
  return !/^([a-z][a-z\d+.-]*:)?\/\//i.test(url)
}
