/** Maximum length in characters, since a path may be stored in a cookie. */
const maxLength = 512

/**
 * Validates an untrusted redirect target: returns it if it is a path of this app, otherwise null. Two
 * leading slashes, also after dots are resolved ("/.//host"), a backslash (which browsers treat as a slash)
 * or a control character (which they strip) would redirect to another site.
 */
export function ownPath(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxLength) return null
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null
  return new URL(text, 'http://own.invalid').pathname.includes('//') ? null : text
}
