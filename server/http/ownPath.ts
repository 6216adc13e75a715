/** Longer ones are nobody's: a path may have to fit into a cookie. */
const maxLength = 512

/**
 * A path of this app, from an address that anyone may have written; null for anything else. Two leading
 * slashes, also once dots are resolved ("/.//host"), a backslash (which browsers read as a slash), or a
 * control character (which they leave out) would lead to another site.
 */
export function ownPath(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxLength) return null
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return null
  return new URL(text, 'http://own.invalid').pathname.includes('//') ? null : text
}
