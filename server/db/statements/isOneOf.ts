import { type RawBuilder, sql } from 'kysely'

/**
 * True for rows whose column is one of these ids, as SQL with a single parameter. The list is parsed once:
 * `= any(…::text::uuid[])` parses it again for each row, because a cast from text may depend on settings.
 */
export function isOneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (select unnest(${`{${ids.join(',')}}`}::text::uuid[]))`
}
