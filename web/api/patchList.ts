import type { DataTag, QueryClient } from '@tanstack/react-query'

/** The key of a query that returns a list. */
type ListKey<Item> = DataTag<string[], Item[], Error>

/** Applies an event to a cached list; refetches a list that is not cached. */
export function patchList<Item>(
  client: QueryClient,
  queryKey: ListKey<Item>,
  change: (items: Item[]) => Item[],
) {
  const items = client.getQueryData(queryKey)
  if (!items) {
    void client.invalidateQueries({ queryKey })
    return
  }
  replaceList(client, queryKey, change(items))
}

/** Replaces a cached list. A pending response is older, so its request is cancelled. */
export function replaceList<Item>(client: QueryClient, queryKey: ListKey<Item>, items: Item[]) {
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, items)
}

/** Adds or replaces an item and sorts the list by `order`. */
export function withItem<Item extends { id: string }>(
  items: readonly Item[],
  item: Item,
  order: (a: Item, b: Item) => number,
): Item[] {
  return [...items.filter(({ id }) => id !== item.id), item].sort(order)
}

export function withoutItem<Item extends { id: string }>(
  items: readonly Item[],
  id: string,
): Item[] {
  return items.filter(item => item.id !== id)
}
