/**
 * Returns `derive` with its results kept as long as their arguments: what many cars on one circuit derive from it is
 * in memory once.
 */
export function memoized<Key extends object, Value extends object>(
  derive: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return key => {
    const value = known.get(key) ?? derive(key)
    known.set(key, value)
    return value
  }
}
