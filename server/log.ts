import pino, { type DestinationStream } from 'pino'

export type Log = pino.Logger

/**
 * Structured logs, on standard output unless told otherwise. Nothing personal goes in: ids and codes, no
 * names, addresses, tokens.
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

/** An error without what it carries along: the database's errors bring the statement, its parameters and the row. */
function withoutValues(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? String(error.code) : undefined
  return { name, code, message, stack }
}
