import { type RawBuilder, sql } from 'kysely'

const mark = '/* prepared */'

/**
 * Marks a statement that runs for each message or each second: the embedded database prepares it once. Without the mark
 * a statement is planned each time, with the values of its parameters. That takes some milliseconds, but suits
 * statements whose best plan depends on the values, or whose text varies.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark)

export function isPrepared(statement: string): boolean {
  return statement.includes(mark)
}
