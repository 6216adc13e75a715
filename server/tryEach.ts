/**
 * Does the work for each item, one after the other, also if it fails for some, so that one team or car does not hold up
 * the others. Throws the failures at the end.
 */
export async function tryEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) await work(item).catch(failure => failures.push(failure))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} failed`)
}
