import { expect, test } from 'vitest'
import { z } from 'zod'
import * as answers from './answers.ts'
import { api } from './api.ts'
import type { Endpoint } from './endpoint.ts'
import * as fills from './fills.ts'
import * as ids from './ids.ts'
import * as invitations from './invitations.ts'
import * as live from './live.ts'
import * as messages from './messages.ts'
import * as phone from './phone.ts'
import * as positions from './positions.ts'
import * as races from './races.ts'
import { RefusalCode } from './refusal.ts'
import * as roster from './roster.ts'
import * as rulePacks from './rulePacks.ts'
import * as sessions from './sessions.ts'
import { minProtocol, protocol } from './shared/liveRules.ts'
import { isFinal, isRetryable, refusals } from './shared/refusals.ts'
import * as stints from './stints.ts'
import * as teams from './teams.ts'
import * as text from './text.ts'
import * as users from './users.ts'

/** The schemas that the contract exports: the snapshot refers to them by name. */
const exported = {
  ...answers,
  ...ids,
  ...invitations,
  ...messages,
  ...phone,
  ...positions,
  ...races,
  ...fills,
  ...roster,
  ...rulePacks,
  ...sessions,
  ...stints,
  ...teams,
  ...text,
  ...users,
  FixUp: live.FixUp,
  RefusalCode,
  RoomName: live.RoomName,
  Snapshot: live.Snapshot,
}
const named = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(exported))
  if (schema instanceof z.ZodType) named.add(schema, { id })

/**
 * Snapshot of the wire format, reviewed like code. An installed app may be weeks old: a change that it does
 * not understand needs a new protocol version. Update the file with `vitest -u`.
 */
// spec: CO-1 CO-2 EN-3 EN-9 EN-10
test('the wire format is the reviewed one', async () => {
  const definitions = { input: {}, output: {} }
  const described = (schema: z.ZodType, io: 'input' | 'output') => {
    const { $defs, ...rest } = shape(schema, io)
    Object.assign(definitions[io], $defs)
    return rest
  }
  const endpoints: Record<string, unknown> = {}
  for (const [topic, calls] of Object.entries(api)) {
    for (const [name, { kind, auth, input, output }] of Object.entries<Endpoint>(calls)) {
      endpoints[`${topic}.${name}`] = {
        kind,
        auth,
        input: described(input, 'input'),
        output: described(output, 'output'),
      }
    }
  }
  const up = described(live.Up, 'input')
  const down = described(live.Down, 'output')
  const retryable = RefusalCode.options.filter(isRetryable)
  const final = RefusalCode.options.filter(isFinal)
  const wire = {
    protocol,
    minProtocol,
    definitions,
    endpoints,
    up,
    down,
    refusals,
    retryable,
    final,
  }
  await expect(`${compact(wire)}\n`).toMatchFileSnapshot('./wire.json')
})

// spec: ER-6
test('no call asks for a password or a phone number', () => {
  const inputs = Object.values(api.auth).map(({ input }: Endpoint) => shape(input, 'input'))
  expect(JSON.stringify(inputs)).toContain('email')
  expect(JSON.stringify(inputs)).not.toMatch(/password|phone/i)
})

function shape(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    metadata: named,
    override: ({ jsonSchema }) => shorten(jsonSchema),
  })
  return rest
}

/** Leaves out what follows from the rest: the type of an object, and its required keys if all are. */
function shorten(schema: z.core.JSONSchema.BaseSchema) {
  delete schema.id
  if (!schema.properties) return
  delete schema.type
  const { required = [] } = schema
  if (required.length === Object.keys(schema.properties).length) delete schema.required
  else schema.required = required
}

/** JSON with every value on one line where it fits into 140 columns. */
function compact(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (line.length + indent.length <= 140 || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map(item => inner + compact(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${inner}${JSON.stringify(key)}: ${compact(item, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}
