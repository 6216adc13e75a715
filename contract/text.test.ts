import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from './api.ts'
import type { Endpoint } from './endpoint.ts'
import { Up } from './live.ts'
import { LineOfText, LinesOfText } from './text.ts'
import { Email } from './users.ts'

interface Shape {
  type?: string
  [keyword: string]: unknown
}

/** Paths of strings in a JSON schema that neither a pattern, a format nor a list of values bounds. */
function freeStrings(shape: unknown, path = ''): string[] {
  if (typeof shape !== 'object' || shape === null) return []
  const { type, pattern, format, enum: values, const: value, allOf, ...rest } = shape as Shape
  const isFree = type === 'string' && !(pattern ?? format ?? values ?? value ?? allOf)
  const below = Object.entries(rest).flatMap(([key, part]) => freeStrings(part, `${path}/${key}`))
  return isFree ? [path, ...below] : below
}

const inputs: [string, z.ZodType][] = [
  ['frames', Up],
  ...Object.entries(api).flatMap(([topic, calls]) =>
    Object.entries<Endpoint>(calls).map(([name, { input }]): [string, z.ZodType] => [
      `${topic}.${name}`,
      input,
    ]),
  ),
]

test('no call or frame accepts unbounded text', () => {
  const free = inputs.flatMap(([name, input]) =>
    freeStrings(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), name),
  )
  // An email address is matched after trimming.
  expect(free.filter(path => !path.endsWith('/email'))).toEqual([])
})

describe.each([
  ['NUL', 'a\0b'],
  ['half a surrogate pair', 'a\ud800b'],
  ['the other half', 'a\udc00b'],
])('%s', (_name, text) => {
  test('is refused in lines, texts and addresses', () => {
    expect(LineOfText.safeParse(text).success).toBe(false)
    expect(LinesOfText.safeParse(text).success).toBe(false)
    expect(Email.safeParse(`${text}@example.com`).success).toBe(false)
  })
})

test('multi-line text keeps its lines, and characters beyond 16 bits', () => {
  expect(LinesOfText.parse(' Turn in\nlate 🏁\n')).toBe('Turn in\nlate 🏁')
})
