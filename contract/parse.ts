import { z } from 'zod'

/** Generous: the deepest value of the contract nests six levels. */
const maxDepth = 32

export type Parsed<Output> =
  | { success: true; data: Output; error?: undefined }
  | { success: false; data?: undefined; error: z.ZodError }

/**
 * Parses untrusted input. Never throws: a value that makes a schema throw is refused like any other wrong
 * input. Length checks of zod compare the `length` of values of any type, which throws for `{"length":
 * {"toString": 1}}`. A value nested deeper than 32 levels is refused too: `JSON.parse` accepts any depth,
 * but serialising such a value again exhausts the stack.
 */
export function parseSafely<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Parsed<z.output<Schema>> {
  try {
    return isDeeperThan(value, maxDepth) ? refused() : schema.safeParse(value)
  } catch {
    return refused()
  }
}

/** Parses untrusted JSON against a schema. Never throws: text that is not JSON is refused too. */
export function parseJsonSafely<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): Parsed<z.output<Schema>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused()
  }
  return parseSafely(schema, value)
}

function refused(): Parsed<never> {
  const issue: z.core.$ZodIssue = {
    code: 'custom',
    path: [],
    message: 'not-valid',
    input: undefined,
  }
  return { success: false, error: new z.ZodError([issue]) }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return levels === 0 || Object.values(value).some(each => isDeeperThan(each, levels - 1))
}
