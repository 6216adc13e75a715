import { type Kysely, sql } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'

type Row = Record<string, string | Date>

/** Rows that people enter: a file of the export of an account. */
interface EnteredRows {
  readonly file: string
  readonly table: string
  /** The column with the user. */
  readonly by: string
  /** The first value of each column of the key, in whose order the rows are read. */
  readonly key: Row
  readonly columns: readonly string[]
}

export const enteredRows: readonly EnteredRows[] = [
  rowsOf('stints', {
    file: 'stints-entered.json',
    by: 'entered_by',
    key: { session_id: firstId, id: firstId },
    columns: ['from_at', 'driver_id', 'removed_at'],
  }),
  rowsOf('fills', {
    file: 'fills-entered.json',
    by: 'entered_by',
    key: { session_id: firstId, id: firstId },
    columns: ['at', 'litres', 'kind', 'removed_at'],
  }),
  rowsOf('glass_changes', {
    file: 'glass-changes.json',
    by: 'changed_by',
    key: { session_id: firstId, at: new Date(0) },
    columns: ['parts'],
  }),
  rowsOf('data_link_breaks', {
    file: 'data-link-switched-off.json',
    by: 'off_by',
    key: { session_id: firstId, off_at: new Date(0) },
    columns: ['on_at'],
  }),
  rowsOf('data_link_breaks', {
    file: 'data-link-switched-on.json',
    by: 'on_by',
    key: { session_id: firstId, off_at: new Date(0) },
    columns: ['on_at'],
  }),
  rowsOf('timing_entries', {
    file: 'timing-entries.json',
    by: 'entered_by',
    key: { race_id: firstId, id: firstId },
    columns: ['car_id', 'entry', 'entered_at', 'undone_at'],
  }),
  rowsOf('run_corrections', {
    file: 'run-corrections.json',
    by: 'decided_by',
    key: { race_id: firstId, car_id: firstId, id: firstId },
    columns: ['decisions', 'decided_at', 'removed_at'],
  }),
]

/** Checks the columns of a table. */
function rowsOf<Table extends keyof Tables>(
  table: Table,
  rows: Omit<EnteredRows, 'table'> & {
    readonly by: keyof Tables[Table]
    readonly key: { readonly [Column in keyof Tables[Table]]?: string | Date }
    readonly columns: readonly (keyof Tables[Table])[]
  },
): EnteredRows {
  return { table, ...rows }
}

/** Pages of the rows that a user entered, with their key and columns. */
export function rowsEnteredBy(
  db: Kysely<Tables>,
  userId: UserId,
  { table, by, key, columns }: EnteredRows,
) {
  const keyColumns = sql.join(Object.keys(key).map(name => sql.ref(name)))
  return inPages<Row, Row>(
    key,
    async after => {
      const values = Object.entries(key).map(([name, first]) => {
        const type = sql.raw(first instanceof Date ? 'timestamptz' : 'uuid')
        return sql`${after[name]}::${type}`
      })
      const { rows } = await sql<Row>`
        select ${keyColumns}, ${sql.join(columns.map(name => sql.ref(name)))}
        from ${sql.table(table)}
        where ${sql.ref(by)} = ${userId} and (${keyColumns}) > (${sql.join(values)})
        order by ${keyColumns} limit ${rowsPerPage}`.execute(db)
      return rows
    },
    row => row,
  )
}
