import pino from 'pino'

export type Log = pino.Logger

/** Structured logs on standard output. Nothing personal goes in: ids and codes, no names, addresses, tokens. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
