import { type RawBuilder, sql } from 'kysely'

/** A time in whole milliseconds since 1970, as SQL. Truncates microseconds, like the `Date` of a column. */
export function epochMs(time: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`floor(extract(epoch from ${time}) * 1000)::float8`
}
