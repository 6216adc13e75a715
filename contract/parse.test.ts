import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseJsonSafely, parseSafely } from './parse.ts'

const Name = z.object({ name: z.string().max(3) })

test('a valid value is parsed', () => {
  expect(parseSafely(Name, { name: 'Ana' })).toEqual({ success: true, data: { name: 'Ana' } })
  expect(parseJsonSafely(Name, '{"name":"Ana"}').data).toEqual({ name: 'Ana' })
})

test('an invalid value is refused with the field at fault', () => {
  const { success, error } = parseSafely(Name, { name: 'Anna' })
  expect(success).toBe(false)
  expect(error?.issues[0]?.path).toEqual(['name'])
})

test('a value that makes the schema throw is refused', () => {
  const hostile = { name: { length: { toString: 1 } } }
  expect(() => Name.safeParse(hostile)).toThrow('Cannot convert object to primitive value')
  expect(parseSafely(Name, hostile).success).toBe(false)
})

test('text that is not JSON is refused', () => {
  expect(parseJsonSafely(Name, '{"name":').success).toBe(false)
})

const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

test('a value nested deeper than the contract allows is refused', () => {
  expect(parseSafely(z.unknown(), nested(32)).success).toBe(true)
  expect(parseSafely(z.unknown(), nested(33)).success).toBe(false)
})

test('a value nested too deep to be serialised is refused and does not throw', () => {
  const deep = nested(20_000)
  expect(() => JSON.stringify(deep)).toThrow(RangeError)
  expect(parseSafely(z.unknown(), deep).success).toBe(false)
})
