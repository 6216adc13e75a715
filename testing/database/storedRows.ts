import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/db/schema/tables.ts'

/** Returns the rows of a table or view whose column has this value, as JSON, in the order of their content. */
export async function storedRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  column: string,
  value: string,
): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(t)::text as row from ${sql.table(table)} t
    where ${sql.ref(column)} = ${value} order by 1`.execute(db)
  return rows.map(({ row }) => row)
}
