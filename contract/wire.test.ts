import { expect, test } from 'vitest'
import { z } from 'zod'
import * as answers from './answers.ts'
import { api } from './api.ts'
import * as auth from './auth.ts'
import * as circuits from './circuits.ts'
import type { Endpoint } from './endpoint.ts'
import * as files from './files.ts'
import * as fills from './fills.ts'
import * as ids from './ids.ts'
import * as invitations from './invitations.ts'
import * as laps from './laps.ts'
import * as live from './live.ts'
import * as messages from './messages.ts'
import * as notifications from './notifications.ts'
import * as words from './ownWords.ts'
import * as passkeys from './passkeys.ts'
import * as phone from './phone.ts'
import * as pitVisits from './pitVisits.ts'
import * as positions from './positions.ts'
import * as races from './races.ts'
import { RefusalCode } from './refusal.ts'
import * as roster from './roster.ts'
import * as rulePacks from './rulePacks.ts'
import * as sessions from './sessions.ts'
import { minProtocol, protocol } from './shared/liveRules.ts'
import { isFinal, isRetryable, refusals } from './shared/refusals.ts'
import * as stints from './stints.ts'
import * as teamChanges from './teamChanges.ts'
import * as teamEvents from './teamEvents.ts'
import * as teams from './teams.ts'
import * as televisions from './televisions.ts'
import * as text from './text.ts'
import * as users from './users.ts'

/** The schemas that the contract exports: the snapshot refers to them by name. */
const exported = {
  // Other names are aliases of these.
  Id: ids.UserId,
  ...text,
  ...answers,
  ...auth,
  ...circuits,
  ...files,
  ...fills,
  ...ids,
  ...invitations,
  ...laps,
  ...messages,
  ...notifications,
  ...passkeys,
  ...phone,
  ...pitVisits,
  ...positions,
  ...races,
  ...roster,
  ...rulePacks,
  ...sessions,
  ...stints,
  ...teamChanges,
  ...teamEvents,
  ...teams,
  ...televisions,
  ...users,
  ...words,
  FixUp: live.FixUp,
  RefusalCode,
  RoomName: live.RoomName,
  Snapshot: live.Snapshot,
}
const registry = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(exported))
  if (schema instanceof z.ZodType && !registry.has(schema)) registry.add(schema, { id })

/**
 * Snapshot of the wire format, reviewed like code. An installed app may be weeks old: a change that it does
 * not understand needs a new protocol version. Update the file with `vitest -u`.
 */
// spec: CO-1 CO-2 EN-3 EN-9 EN-10
test('the wire format is the reviewed one', async () => {
  const definitions = { input: new Map<string, string>(), output: new Map<string, string>() }
  const described = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $defs = {}, ...rest } = jsonSchema(schema, io)
    for (const [name, definition] of Object.entries($defs))
      definitions[io].set(name, typeNotation(definition))
    return typeNotation(rest)
  }
  const calls = Object.entries(api).flatMap(([topic, endpoints]) =>
    Object.entries<Endpoint>(endpoints).map(([name, { kind, auth, input, output }]) => {
      const types = [described(input, 'input'), described(output, 'output')]
      return `${kind} ${topic}.${name}, ${auth}: ${types.join(' → ')}`
    }),
  )
  const frames = [
    `from the client: ${described(live.Up, 'input')}`,
    `from the server: ${described(live.Down, 'output')}`,
  ]
  const types = new Set([...definitions.input.keys(), ...definitions.output.keys()])
  const named = [...types].sort().flatMap(name => {
    const [input, output] = [definitions.input.get(name), definitions.output.get(name)]
    // Only few have defaults, or refuse keys in one direction.
    const isSame = input === undefined || output === undefined || input === output
    if (isSame) return [`${name}: ${input ?? output}`]
    return [`${name}, input: ${input}`, `${name}, output: ${output}`]
  })
  const codes = RefusalCode.options.map(code => {
    const again = isRetryable(code) ? ', retryable' : isFinal(code) ? ', final' : ''
    return `refusal ${code}: ${refusals[code].status}${again}`
  })
  const wire = [
    `protocol ${protocol}, at least ${minProtocol}`,
    ...named,
    ...frames,
    ...calls,
    ...codes,
  ]
  await expect(`${wire.join('\n')}\n`).toMatchFileSnapshot('./wire.txt')
})

// spec: ER-6
test('no call asks for a password or a phone number', () => {
  const inputs = Object.values(api.auth).map(({ input }: Endpoint) => jsonSchema(input, 'input'))
  expect(JSON.stringify(inputs)).toContain('email')
  expect(JSON.stringify(inputs)).not.toMatch(/password|phone/i)
})

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    metadata: registry,
    override: ({ jsonSchema }) => {
      // True of every object that the server sends. An input schema states it if unknown keys are refused.
      if (io === 'output' && jsonSchema.properties) delete jsonSchema.additionalProperties
    },
  })
  return rest
}

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
function typeNotation(schema: Schema, indent = ''): string {
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
