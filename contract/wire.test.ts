import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from './api.ts'
import type { Endpoint } from './endpoint.ts'
import { Down, Up } from './live.ts'
import { protocol } from './liveRules.ts'
import { refusals } from './refusals.ts'

/**
 * Snapshot of the wire format, reviewed like code. An installed app may be weeks old: a change that it does
 * not understand needs a new protocol version. Update the file with `vitest -u`.
 */
// spec: CO-1 CO-2 EN-3 EN-9 EN-10
test('the wire format is the reviewed one', async () => {
  const endpoints: Record<string, unknown> = {}
  for (const [topic, calls] of Object.entries(api)) {
    for (const [name, { kind, auth, input, output }] of Object.entries<Endpoint>(calls)) {
      endpoints[`${topic}.${name}`] = {
        kind,
        auth,
        input: shape(input, 'input'),
        output: shape(output, 'output'),
      }
    }
  }
  const wire = {
    protocol,
    endpoints,
    up: shape(Up, 'input'),
    down: shape(Down, 'output'),
    refusals,
  }
  await expect(`${JSON.stringify(wire, null, 2)}\n`).toMatchFileSnapshot('./wire.json')
})

// spec: ER-6
test('no call asks for a password or a phone number', () => {
  const inputs = Object.values(api.auth).map(({ input }: Endpoint) => shape(input, 'input'))
  expect(JSON.stringify(inputs)).toContain('email')
  expect(JSON.stringify(inputs)).not.toMatch(/password|phone/i)
})

function shape(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
