import { isDeepStrictEqual } from 'node:util'

/** Returns the parts of two values that differ, as text. */
export function differences(one: object, other: object): string {
  const parts = Object.entries(one).flatMap(([name, value]) => {
    const otherValue = (other as Record<string, unknown>)[name]
    if (isDeepStrictEqual(value, otherValue)) return []
    if (
      typeof value !== 'object' ||
      value === null ||
      typeof otherValue !== 'object' ||
      !otherValue
    )
      return `${name}: ${JSON.stringify(value)} and ${JSON.stringify(otherValue)}`
    return `${name}: {${differences(value, otherValue)}}`
  })
  const added = Object.keys(other).filter(name => !(name in one))
  return [...parts, ...(added.length > 0 ? [`added: ${added.join(', ')}`] : [])].join('; ')
}
