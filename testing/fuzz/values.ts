import fc from 'fast-check'
import { deepToken, nameToken, nowToken } from './tokens.ts'

/** Values known to break parsers, schemas, serialisers and databases. */
const knownHostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  8.64e15 + 1,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\u202eabc',
  '\u200b\u2060',
  '\ufeff',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '../../etc/passwd',
  '%00%2e%2e%2f',
  'NaN',
  'x'.repeat(300),
  'x'.repeat(5000),
  '💥'.repeat(90),
  'e\u0301'.repeat(500),
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { toString: 1 },
  { toJSON: 1 },
  { constructor: { prototype: { polluted: true } } },
  { type: 'Buffer', data: [0] },
  { _placeholder: true, num: 0 },
  Array.from({ length: 2000 }, () => 0),
]

/** Values that make a parser, a schema or a serialiser throw. */
const throwing: readonly unknown[] = [
  { length: { toString: 1 } },
  { length: { valueOf: 1, toString: 1 } },
  { size: { toString: 1 } },
  deepToken(100),
  deepToken(1500),
  deepToken(10_000),
]

/** Any value, most often one known to be hostile. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...knownHostile) },
  { weight: 2, arbitrary: fc.constantFrom(...throwing) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('teamId', 'sessionId', 'userId', 'foreignSessionId').map(nameToken),
  },
)

/** Keys with a special meaning in JavaScript. */
const hostileKey = fc.constantFrom(
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  'then',
  'toJSON',
  '__defineGetter__',
  '',
  '\u0000',
  '0',
)

/** One change to a value: its place, as fractions of the existing keys, and its kind. */
interface Mutation {
  path: number[]
  change: 'replace' | 'drop' | 'wrap' | 'add' | 'repeat'
  key: string
  value: unknown
}

const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.oneof(
    { weight: 1, arbitrary: fc.constant<number[]>([]) },
    { weight: 9, arbitrary: fc.array(fraction, { minLength: 1, maxLength: 4 }) },
  ),
  change: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'wrap', 'add', 'repeat'),
  key: hostileKey,
  value: hostileValue,
})

/** Generates a mostly valid value with one to three hostile changes. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => mutations.reduce(applied, value))
}

function applied(value: unknown, { path, ...mutation }: Mutation): unknown {
  const [at, ...rest] = path
  const isInside = at !== undefined && typeof value === 'object' && value !== null
  const keys = isInside ? Object.keys(value) : []
  const key = keys[Math.floor((at ?? 0) * keys.length)]
  if (key === undefined) return changed(value, mutation)
  const inner = applied((value as Record<string, unknown>)[key], { path: rest, ...mutation })
  if (Array.isArray(value)) return value.map((each, n) => (String(n) === key ? inner : each))
  return { ...(value as object), [key]: inner }
}

function changed(value: unknown, { change, key, value: hostile }: Omit<Mutation, 'path'>): unknown {
  switch (change) {
    case 'replace':
      return hostile
    case 'drop':
      return undefined
    case 'wrap':
      return [value]
    case 'add':
      return isRecord(value) ? { ...value, [key]: hostile } : hostile
    case 'repeat':
      return Array.from({ length: 50 }, () => value)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Values of fields that refer to users or objects of the scene. */
export const fieldValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  teamId: names('teamId', 'teamId', 'foreignTeamId'),
  sessionId: names('sessionId', 'sessionId', 'foreignSessionId'),
  session: names('sessionId', 'sessionId', 'foreignSessionId'),
  userId: names('userId', 'foreignUserId'),
  visitId: names('visitId', 'foreignVisitId'),
  room: fc.constantFrom(
    'team:<<teamId>>',
    'session:<<sessionId>>',
    'user:<<userId>>',
    'team:<<foreignTeamId>>',
    'session:<<foreignSessionId>>',
    'user:<<foreignUserId>>',
  ),
  email: fc.oneof(names('email', 'foreignEmail'), fc.emailAddress()),
  protocol: fc.constant(nameToken('protocol')),
  at: fc.constant(nowToken),
  pressedAt: fc.constant(nowToken),
}

function names(...all: string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...all.map(nameToken))
}
