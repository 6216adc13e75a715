import type { FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusal.ts'

/** Values of a body that is larger than usual: it contains a file as one text. */
const maxLargeValues = 1000

/**
 * Parses JSON bodies. One larger than `usualBytes` is refused if it has many values: parsing a million of them would
 * stop the live channel for half a second.
 */
export function addJsonBodies(app: FastifyInstance, usualBytes: number) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.length > usualBytes && hasMoreValues(body, maxLargeValues))
        return done(new Refusal('invalid-input'))
      return parse(request, body, done)
    },
  )
}

const quote = 34
const comma = 44
const bracket = 91
const backslash = 92
const brace = 123

/** Counts commas and opening brackets outside of texts. */
function hasMoreValues(json: string, most: number): boolean {
  let values = 0
  let isInText = false
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (isInText && code === backslash) index += 1
    else if (code === quote) isInText = !isInText
    else if (!isInText && (code === comma || code === bracket || code === brace)) values += 1
    if (values > most) return true
  }
  return false
}
