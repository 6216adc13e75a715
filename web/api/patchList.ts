import type { DataTag, QueryClient } from '@tanstack/react-query'

/** The key of a query that answers with a list. */
type ListKey<Item> = DataTag<string[], Item[], Error>

/** Applies an event to a list this device already has; one it does not have is asked for. */
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

/** The list as it is now. An answer still under way is older, so it is dropped. */
export function replaceList<Item>(client: QueryClient, queryKey: ListKey<Item>, items: Item[]) {
  void client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, items)
}

/** The list with this item in it once, replaced or put where `order` says. */
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
