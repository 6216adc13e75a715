import type { ColumnType } from 'kysely'

/** A read-only column of a view. */
export type ReadOnly<T> = ColumnType<T, never, never>
