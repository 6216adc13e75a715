import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema/tables.ts'

interface Bound {
  /** The ids by which rows are bounded. */
  of: Readonly<Record<string, string | null>>
  /** The column with the time of a row. */
  by?: string
  max: number
}

/** Deletes the oldest rows beyond a bound. Rows of one time are deleted together. */
export async function keepNewest(
  db: Kysely<Tables>,
  table: keyof Tables,
  { of, by = 'at', max }: Bound,
) {
  const rows = sql.join(
    Object.entries(of).map(([column, id]) =>
      id === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}::uuid`,
    ),
    sql` and `,
  )
  await sql`
    delete from ${sql.table(table)} where ${rows} and ${sql.ref(by)} < (
      select min(${sql.ref(by)}) from (
        select ${sql.ref(by)} from ${sql.table(table)} where ${rows}
        order by ${sql.ref(by)} desc limit ${sql.lit(max)}
      ) newest
    )`.execute(db)
}
