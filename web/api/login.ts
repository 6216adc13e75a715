import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Login } from '#contract/auth.ts'
import type { Me } from '#contract/users.ts'
import { loginQuery } from './loginQuery.ts'

const storageKey = 'pitboard.login'

/** The signed-in user. Only below the guard of the signed-in screens. */
export function useMe(): Me {
  const me = useQuery(loginQuery).data?.login?.user
  if (!me) throw new Error('useMe needs a login: show this screen to signed-in users only.')
  return me
}

/** Another person may have been signed in before: nothing of theirs stays. */
export function setLogin(client: QueryClient, login: Login) {
  // An answer still under way is about whoever was here before.
  void client.cancelQueries({ queryKey: loginQuery.queryKey })
  forgetAnswers(client)
  client.setQueryData(loginQuery.queryKey, { login })
}

/**
 * The login is gone; screens for signed-in users lead to the sign-in. If there was one, the server is
 * asked once more: the person may have signed in anew in another tab.
 */
export function clearLogin(client: QueryClient) {
  const hadLogin = Boolean(client.getQueryData(loginQuery.queryKey)?.login)
  void client.cancelQueries({ queryKey: loginQuery.queryKey })
  client.setQueryData(loginQuery.queryKey, { login: null })
  forgetAnswers(client)
  if (hadLogin) void client.prefetchQuery({ ...loginQuery, staleTime: 0 })
}

/** The signed-in user changed their own record. */
export function setMe(client: QueryClient, user: Me) {
  client.setQueryData(loginQuery.queryKey, answer =>
    answer?.login ? { login: { ...answer.login, user } } : answer,
  )
}

/**
 * Starts with the login this device saw last, so that the app also opens without a connection; the
 * server is asked at once all the same, and what it says counts. Later logins are kept as they come.
 */
export function rememberLogin(client: QueryClient) {
  const kept = keptLogin()
  if (kept) client.setQueryData(loginQuery.queryKey, { login: kept }, { updatedAt: 0 })
  client.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' || query.queryKey[0] !== loginQuery.queryKey[0]) return
    keep(client.getQueryData(loginQuery.queryKey)?.login ?? null)
  })
}

/** Tells when nobody is signed in any more, wherever the login ended, also while the app was closed. */
export function onLoginEnd(client: QueryClient, listener: () => void) {
  let before: Login | null | undefined
  client.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== loginQuery.queryKey[0]) return
    const login = client.getQueryData(loginQuery.queryKey)?.login
    if (login === null && before !== null) listener()
    before = login
  })
}

function forgetAnswers(client: QueryClient) {
  client.removeQueries({ predicate: query => query.queryKey[0] !== loginQuery.queryKey[0] })
}

function keptLogin(): Login | null {
  try {
    const login = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Login | null
    return login?.user?.id && login.expiresAt > Date.now() ? login : null
  } catch {
    // No storage (blocked by the browser), or not written by us: then the server is asked first.
    return null
  }
}

function keep(login: Login | null) {
  try {
    if (login) localStorage.setItem(storageKey, JSON.stringify(login))
    else localStorage.removeItem(storageKey)
  } catch {
    // A browser may forbid or have filled its storage; the app then starts with a question.
  }
}
