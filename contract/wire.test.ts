import { expect, test } from 'vitest'
import { z } from 'zod'
import { typeNotation } from '#testing/typeNotation.ts'
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
