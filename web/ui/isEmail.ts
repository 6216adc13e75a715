/**
 * Whether a text looks like a whole e-mail address. It only helps while typing: the server has the
 * last word, so this may let through what the server refuses, but never the other way round.
 */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/.test(text.trim())
}
