/**
 * Generated inputs are JSON text with tokens in place of what is only known when they are sent (ids of the
 * scene) and of what `JSON.stringify` cannot write (deep nesting). A case is the same for every run of a seed.
 */
export type Names = Readonly<Record<string, string>>

/** A string that becomes one of the scene's names, such as `teamId`. */
export function nameToken(name: string): string {
  return `<<${name}>>`
}

/** The current time in milliseconds, as a number. */
export const nowToken = '<<now>>'

/** So many arrays, each in the one before. */
export function deepToken(levels: number): string {
  return `<<deep ${levels}>>`
}

export function resolveTokens(json: string, names: Names): string {
  return json
    .replaceAll(`"${nowToken}"`, () => String(Date.now()))
    .replace(/"<<deep (\d+)>>"/g, (_token, levels: string) => deepArray(Number(levels)))
    .replace(/<<(\w+)>>/g, (token, name: string) => names[name] ?? token)
}

/** A value as the text that is sent. Undefined is sent as no text at all. */
export function jsonOf(value: unknown, names: Names): string {
  return resolveTokens(JSON.stringify(value) ?? '', names)
}

function deepArray(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}
