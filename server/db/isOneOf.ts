import { type RawBuilder, sql } from 'kysely'

/**
 * SQL that is true for rows whose column is one of these ids, with a single parameter. The list is parsed once:
 * `= any(…::text::uuid[])` parses it for each row, because a cast from text may depend on settings.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (select unnest(${`{${ids.join(',')}}`}::text::uuid[]))`
}
