import { type RawBuilder, sql } from 'kysely'

const mark = '/* prepared */'

/**
 * Marks a statement that runs for each message or each second: both databases prepare it once. Without the mark a
 * statement is planned each time, with the values of its parameters. That takes some milliseconds, but suits statements
 * whose best plan depends on the values. The text must not vary, because prepared statements are never closed, and the
 * columns of the result must be named: with `*` it fails after a migration by another node.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark)

export function isPrepared(statement: string): boolean {
  return statement.includes(mark)
}
