import fc from 'fast-check'
import { z } from 'zod'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { fromSchema } from './fromSchema.ts'
import type { Request } from './http.ts'
import type { FuzzScene, Who } from './scene.ts'
import { jsonOf } from './tokens.ts'
import { hostileValue, mutated } from './values.ts'

/** One API call by one kind of caller. */
export interface CallCase {
  name: string
  kind: 'read' | 'command'
  who: Who
  input: unknown
  odd: Odd
}

/** The malformed part of the request, apart from its input. */
type Odd = 'nothing' | 'path' | 'header' | 'type' | 'text' | 'origin'

/** Calls that end or replace a login, which other cases of the batch may need. */
const endsLogin = /^auth\.(signOut|signInAnonymously)/
const whoMayLeave: fc.Arbitrary<Who> = fc.constantFrom('nobody', 'leaver')

export const who: fc.Arbitrary<Who> = fc.constantFrom(
  'nobody',
  'anonymous',
  'stranger',
  'member',
  'driver',
  'visitor',
  'agent',
)

const odd: fc.Arbitrary<Odd> = fc.constantFrom(
  ...Array<Odd>(12).fill('nothing'),
  'path',
  'header',
  'type',
  'text',
  'origin',
)

const endpoints = Object.entries(api).flatMap(([topic, calls]) =>
  Object.entries<Endpoint>(calls).map(([name, endpoint]) => ({
    name: `${topic}.${name}`,
    ...endpoint,
  })),
)

/**
 * Generates calls of every endpoint, one in seven valid by its schema. Endpoints with more fields are called
 * more often.
 */
export const callCase: fc.Arbitrary<CallCase> = fc.oneof(
  ...endpoints.map(({ name, kind, input }) => {
    const valid = fromSchema(input)
    const fields = input instanceof z.ZodObject ? Object.keys(input.shape).length : 1
    const arbitrary = fc.record({
      name: fc.constant(name),
      kind: fc.constant(kind),
      who: endsLogin.test(name) ? whoMayLeave : who,
      input: fc.oneof(
        { weight: 1, arbitrary: valid },
        { weight: 5, arbitrary: mutated(valid) },
        { weight: 1, arbitrary: hostileValue },
      ),
      odd,
    })
    return { weight: 1 + 2 * fields, arbitrary }
  }),
)

export function callRequest({ name, kind, who, input, odd }: CallCase, scene: FuzzScene): Request {
  const headers = { ...headersOf(who, scene), ...oddHeaders(odd) }
  const path = odd === 'path' ? oddPath(name) : `/api/${name}`
  if (kind === 'read') {
    return { method: 'GET', path: `${path}?${queryOf(input, scene)}`, headers }
  }
  const json = jsonOf(input, scene.names)
  const body = odd === 'text' ? json.slice(0, json.length / 2) : json
  return { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Returns cookies and XSRF token of this caller's browser. */
export function headersOf(who: Who, { people }: FuzzScene): Record<string, string> {
  if (who === 'nobody') return {}
  const { jar } = people[who]
  return { cookie: jar.header, 'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '' }
}

function queryOf(input: unknown, { names }: FuzzScene): string {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [['', input]]
  const text = (value: unknown) =>
    (typeof value === 'string' ? jsonOf(value, names).slice(1, -1) : jsonOf(value, names)).slice(
      0,
      6000,
    )
  return fields
    .slice(0, 100)
    .map(([key, value]) => `${encoded(String(key))}=${encoded(text(value))}`)
    .join('&')
}

/** encodeURIComponent throws for lone surrogates. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function oddHeaders(odd: Odd): Record<string, string> {
  if (odd === 'type') return { 'content-type': 'application/json; charset=utf-7; charset=x' }
  if (odd === 'origin') return { origin: 'https://evil.example' }
  return odd === 'header' ? oddHeader : {}
}

const oddHeader = {
  authorization: `Bearer ${'x'.repeat(3000)}`,
  'accept-encoding': 'gzip;q=2, \u00e9',
  'if-none-match': '*',
  range: 'bytes=0-0,-1',
  expect: '100-continue',
}

function oddPath(name: string): string {
  const paths = [
    `/api/${name}/`,
    `//api/${name}`,
    `/api/./${name}`,
    `/api/${encodeURIComponent(name)}%00`,
    `/%61pi/${name}`,
    `/api/${name}%2f..%2f${name}`,
    `/API/${name.toUpperCase()}`,
    `/api/${'a'.repeat(300)}`,
    `/api/%ff%fe`,
  ]
  return paths[name.length % paths.length] ?? '/'
}
