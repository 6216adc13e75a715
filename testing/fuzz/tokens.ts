/**
 * Generated inputs contain tokens for values known only when they are sent (ids of the scene) and for JSON that
 * `JSON.stringify` cannot write (deep nesting). So a seed always generates the same cases.
 */
export type Names = Readonly<Record<string, string>>

/** Returns a token that resolves to a value of the scene, such as `teamId`. */
export function nameToken(name: string): string {
  return `<<${name}>>`
}

/** Resolves to the current time in milliseconds, as a number. */
export const nowToken = '<<now>>'

/** Returns a token that resolves to arrays nested this deep. */
export function deepToken(levels: number): string {
  return `<<deep ${levels}>>`
}

export function resolveTokens(json: string, names: Names): string {
  return json
    .replaceAll(`"${nowToken}"`, () => String(Date.now()))
    .replace(/"<<deep (\d+)>>"/g, (_token, levels: string) => deepArray(Number(levels)))
    .replace(/<<(\w+)>>/g, (token, name: string) => names[name] ?? token)
}

/** Returns a value as JSON with resolved tokens; undefined becomes empty text. */
export function jsonOf(value: unknown, names: Names): string {
  return resolveTokens(JSON.stringify(value) ?? '', names)
}

function deepArray(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}
