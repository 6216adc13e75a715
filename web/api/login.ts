import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Login } from '#contract/auth.ts'
import type { Me } from '#contract/users.ts'
import { loginQuery } from './loginQuery.ts'

const storageKey = 'pitboard.login'

/** Returns the signed-in user. Use it only below `SignedInGuard`. */
export function useMe(): Me {
  const me = useQuery(loginQuery).data?.login?.user
  if (!me) throw new Error('useMe needs a login: show this screen to signed-in users only.')
  return me
}

/** Replaces the login and clears the cache, which may hold data of another person. */
export function setLogin(client: QueryClient, login: Login) {
  // A pending response describes the previous login.
  void client.cancelQueries({ queryKey: loginQuery.queryKey })
  clearCache(client)
  client.setQueryData(loginQuery.queryKey, { login })
}

/**
 * Removes the login, which redirects signed-in screens to the sign-in. If there was one, the server is
 * queried once more: the person may have signed in again in another tab.
 */
export function clearLogin(client: QueryClient) {
  const hadLogin = Boolean(client.getQueryData(loginQuery.queryKey)?.login)
  void client.cancelQueries({ queryKey: loginQuery.queryKey })
  client.setQueryData(loginQuery.queryKey, answer => ({ ...answer, login: null }))
  clearCache(client)
  if (hadLogin) void client.prefetchQuery({ ...loginQuery, staleTime: 0 })
}

/** Replaces the cached record of the signed-in user. */
export function setMe(client: QueryClient, user: Me) {
  client.setQueryData(loginQuery.queryKey, answer =>
    answer?.login ? { login: { ...answer.login, user } } : answer,
  )
}

/**
 * Restores the stored login, so that the app opens without a connection, and stores every later one.
 * The restored login is stale at once: the server's response replaces it.
 */
export function rememberLogin(client: QueryClient) {
  const stored = storedLogin()
  if (stored) client.setQueryData(loginQuery.queryKey, { login: stored }, { updatedAt: 0 })
  client.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' || query.queryKey[0] !== loginQuery.queryKey[0]) return
    storeLogin(client.getQueryData(loginQuery.queryKey)?.login ?? null)
  })
}

/**
 * Notifies when nobody is signed in any more, wherever the login ended, even while the app was closed.
 */
export function onLoginEnd(client: QueryClient, listener: () => void) {
  let before: Login | null | undefined
  client.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== loginQuery.queryKey[0]) return
    const login = client.getQueryData(loginQuery.queryKey)?.login
    // Assumed from the page until the server responds.
    if (login === null && client.getQueryState(loginQuery.queryKey)?.dataUpdatedAt === 0) return
    if (login === null && before !== null) listener()
    before = login
  })
}

function clearCache(client: QueryClient) {
  client.removeQueries({ predicate: query => query.queryKey[0] !== loginQuery.queryKey[0] })
}

function storedLogin(): Login | null {
  try {
    const login = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Login | null
    return login?.user?.id && login.expiresAt > Date.now() ? login : null
  } catch {
    // No storage (blocked by the browser), or an unknown format: fall back to the server.
    return null
  }
}

function storeLogin(login: Login | null) {
  try {
    if (login) localStorage.setItem(storageKey, JSON.stringify(login))
    else localStorage.removeItem(storageKey)
  } catch {
    // The browser blocks localStorage or it is full: the next start has to wait for the server.
  }
}
