import type { ColumnType, SelectType } from 'kysely'

/** A read-only column of a view. */
export type ReadOnly<T> = ColumnType<T, never, never>

/** The columns of a view that shows these columns of a table. */
export type ViewOf<Row> = { [Column in keyof Row]: ReadOnly<SelectType<Row[Column]>> }

/** Like `ViewOf` for an outer join: every column may be null. */
export type OptionalViewOf<Row> = {
  [Column in keyof Row]: ReadOnly<SelectType<Row[Column]> | null>
}
