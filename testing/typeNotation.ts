import type { z } from 'zod'

type Schema = z.core.JSONSchema.BaseSchema

const widest = 120

/** Keywords of JSON Schema that the notation shows; any other one is an error, so that none is left out. */
const shownKeywords = [
  '$ref $defs id type const enum default anyOf oneOf allOf format pattern',
  'items minItems maxItems properties required additionalProperties propertyNames',
  'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum',
].flatMap(line => line.split(' '))

/**
 * Writes a JSON Schema like a type of TypeScript, with its limits: `{ at: int 0..9, name?: string 1..80 }`.
 * An object that does not fit into one line gets a line for each key.
 */
export function typeNotation(schema: Schema, indent = ''): string {
  const unknown = Object.keys(schema).filter(key => !shownKeywords.includes(key))
  if (unknown.length > 0) throw new Error(`Unknown keyword of JSON Schema: ${unknown.join(', ')}`)
  const { default: preset, ...rest } = schema
  if (preset !== undefined) return `${typeNotation(rest, indent)} = ${JSON.stringify(preset)}`
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(each => JSON.stringify(each)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choice(choices as Schema[], indent)
  if (schema.type === 'array') return list(schema, indent)
  if (schema.properties) return object(schema, indent)
  if (schema.type === 'object') return record(schema, indent)
  const { type = 'unknown', format, allOf = [] } = schema
  // A format has a pattern of its own.
  const patterns = format ? [] : [schema, ...allOf].map(each => each.pattern && `/${each.pattern}/`)
  const parts = [[type].flat().join(' | '), range(schema), format, ...patterns]
  return parts.filter(Boolean).join(' ')
}

function choice(choices: Schema[], indent: string): string {
  const line = choices.map(each => typeNotation(each, indent)).join(' | ')
  if (!line.includes('\n') && line.length + indent.length <= widest) return line
  const inner = `${indent}  `
  return choices.map(each => `\n${inner}| ${typeNotation(each, inner)}`).join('')
}

function list(schema: Schema, indent: string): string {
  const item = typeNotation(schema.items as Schema, indent)
  const limits = interval(schema.minItems, schema.maxItems)
  return `${item.includes(' | ') ? `(${item})` : item}[${limits}]`
}

function object(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const inner = `${indent}  `
  const keys = Object.entries(properties).map(([key, value]) => {
    const mark = required.includes(key) ? '' : '?'
    return `${key}${mark}: ${typeNotation(value as Schema, inner)}`
  })
  if (additionalProperties === false) keys.push('nothing else')
  const line = keys.length > 0 ? `{ ${keys.join(', ')} }` : '{}'
  if (!line.includes('\n') && line.length + indent.length <= widest) return line
  return `{\n${keys.map(key => `${inner}${key}\n`).join('')}${indent}}`
}

function record(schema: Schema, indent: string): string {
  const key = schema.propertyNames ? typeNotation(schema.propertyNames as Schema, indent) : 'string'
  const values = schema.additionalProperties
  const value = typeof values === 'object' ? typeNotation(values as Schema, indent) : 'unknown'
  return `{ [${key}]: ${value} }`
}

/** Limits of a number, or of the length of a text. */
function range(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength } = schema
  const least = exclusiveMinimum === undefined ? (minimum ?? minLength) : `>${exclusiveMinimum}`
  const most = exclusiveMaximum === undefined ? (maximum ?? maxLength) : `<${exclusiveMaximum}`
  return interval(least, most)
}

function interval(low?: number | string, high?: number | string): string {
  const least = low === Number.MIN_SAFE_INTEGER ? undefined : low
  const most = high === Number.MAX_SAFE_INTEGER ? undefined : high
  return least === undefined && most === undefined ? '' : `${least ?? ''}..${most ?? ''}`
}
