/**
 * Checks whether a text looks like a complete email address. It only helps while typing: it may accept
 * what the server refuses, but never the reverse.
 */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/.test(text.trim())
}
