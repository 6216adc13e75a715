import pino, { type DestinationStream } from 'pino'

export type Log = pino.Logger

/**
 * Creates a structured log, on standard output by default. It must not contain personal data: log ids and
 * codes, never names, e-mail addresses or tokens.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination(1),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: withoutValues },
    },
    destination,
  )
}

interface LoggedError {
  message: string
  name?: string
  code?: string | undefined
  stack?: string | undefined
  /** The inner errors of an `AggregateError`. */
  errors?: LoggedError[]
}

/**
 * Serialises an error without extra fields: database errors carry the statement, its parameters and the
 * row.
 */
function withoutValues(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? String(error.code) : undefined
  const errors = error instanceof AggregateError ? { errors: error.errors.map(withoutValues) } : {}
  return { name, code, message, stack, ...errors }
}
