/** Groups the values of rows by a key, in the order of the rows. */
export function groupBy<Row, Key, Value>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  valueOf: (row: Row) => Value,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(valueOf(row))
    else groups.set(key, [valueOf(row)])
  }
  return groups
}
