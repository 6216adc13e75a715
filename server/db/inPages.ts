/** Rows that an export, or a job for all teams, reads at once. */
export const rowsPerPage = 500

/** Smaller than every other UUID. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Yields pages of the rows after a key until one is not full. `read` returns at most `limit` rows, in the order of keys. */
export async function* inPages<Key, Row>(
  first: Key,
  read: (after: Key) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  limit: number = rowsPerPage,
): AsyncGenerator<Row[]> {
  for (let after = first; ; ) {
    const page = await read(after)
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return
    after = keyOf(last)
  }
}
