import {
  type QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
} from '@tanstack/react-query'

/**
 * Calls `listener` with the data of a query, now and whenever they change, outside React. Requests nothing: a component
 * does. Call the result to stop.
 */
export function followData<T, K extends QueryKey>(
  client: QueryClient,
  query: QueryObserverOptions<T, Error, T, T, K>,
  listener: (data: T | undefined) => void,
): () => void {
  const observer = new QueryObserver(client, { ...query, enabled: false })
  listener(observer.getCurrentResult().data)
  return observer.subscribe(({ data }) => listener(data))
}
