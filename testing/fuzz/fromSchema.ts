import fc from 'fast-check'
import { z } from 'zod'
import { fieldValues } from './values.ts'

/** As much of JSON Schema as zod writes for the schemas of the contract. */
interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema | false
  prefixItems?: JsonSchema[]
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
  pattern?: string
}

/** Mostly valid inputs of a schema, with tokens where a value has to be of the scene. */
export function fromSchema(schema: z.ZodType): fc.Arbitrary<unknown> {
  return arbitraryOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
}

function arbitraryOf(schema: JsonSchema, field?: string): fc.Arbitrary<unknown> {
  const known = field === undefined ? undefined : fieldValues[field]
  if (known && !isNullable(schema)) return known
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map(each => arbitraryOf(each, field)))
  switch (String(schema.type)) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return arrayOf(schema)
    case 'string':
      return stringOf(schema)
    case 'integer':
      return fc.integer(boundsOf(schema))
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function isNullable({ anyOf }: JsonSchema): boolean {
  return anyOf?.some(({ type }) => type === 'null') ?? false
}

function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, each]) => [name, arbitraryOf(each, name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: required,
  })
}

function arrayOf({ prefixItems, items, minItems = 0, maxItems = 5 }: JsonSchema) {
  if (prefixItems) return fc.tuple(...prefixItems.map(each => arbitraryOf(each)))
  const maxLength = Math.max(minItems, Math.min(maxItems, 5))
  return fc.array(arbitraryOf(items || {}), { minLength: minItems, maxLength })
}

function stringOf({ format, pattern, minLength = 0, maxLength = 40 }: JsonSchema) {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (pattern !== undefined && /^\^\[[0-9a-z-]+\]\{\d+(,\d+)?\}\$$/.test(pattern)) {
    return fc.stringMatching(new RegExp(pattern))
  }
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
}

/** Integers beyond 32 bits are left to the hostile values. */
function boundsOf({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: JsonSchema) {
  const min = Math.max(minimum, -(2 ** 31))
  return { min, max: Math.max(min, Math.min(maximum, 2 ** 31 - 1)) }
}
