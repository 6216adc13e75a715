import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Login } from '#contract/auth.ts'
import { clearLogin, onLoginEnd, rememberLogin, setLogin, setMe } from './login.ts'
import { loginQuery } from './loginQuery.ts'
import { teamsQuery } from './teamQueries.ts'

const user = {
  id: '7b0c8a3e-0d3f-4f6e-9a27-6a2f8f6f1c11',
  firstName: 'Marta',
  lastName: 'Lindqvist',
  email: 'marta@northline.example',
  kind: 'account',
  isAnonymous: false,
} as const
const team = {
  id: '1',
  name: 'Northline Racing',
  logoUpdatedAt: null,
  photoUpdatedAt: null,
  ownerId: null,
  role: 'member' as const,
}
const login = { user, expiresAt: Date.now() + 60_000 }

let stored: Map<string, string>
/** The server's response to `auth.login`. */
let response: Login | null

beforeEach(() => {
  stored = new Map()
  response = null
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ login: response })))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** Opens the app on this device. */
function openApp() {
  const client = new QueryClient()
  rememberLogin(client)
  return client
}

function loginOf(client: QueryClient) {
  return client.getQueryData(loginQuery.queryKey)?.login
}

test('the app opens with the stored login and still requests the current one', () => {
  setLogin(openApp(), login)
  const later = openApp()
  expect(loginOf(later)).toEqual(login)
  expect(later.getQueryState(loginQuery.queryKey)?.dataUpdatedAt).toBe(0)
})

test('an expired stored login is ignored', () => {
  setLogin(openApp(), { ...login, expiresAt: Date.now() - 1 })
  expect(loginOf(openApp())).toBeUndefined()
})

// spec: AU-2
test('signing out deletes everything cached for the person', () => {
  const client = openApp()
  setLogin(client, login)
  client.setQueryData(teamsQuery.queryKey, [team])
  clearLogin(client)
  expect(loginOf(client)).toBeNull()
  expect(client.getQueryData(teamsQuery.queryKey)).toBeUndefined()
  expect(loginOf(openApp())).toBeUndefined()
})

// spec: AU-3
test('losing the login requests it once more: another tab may have signed in', async () => {
  const client = openApp()
  setLogin(client, login)
  response = { ...login, user: { ...user, firstName: 'Märta' } }
  clearLogin(client)
  expect(loginOf(client)).toBeNull()
  await vi.waitFor(() => expect(loginOf(client)?.user.firstName).toBe('Märta'))
})

// spec: AU-2
test('the end of a login is reported once, even if it ended while the app was closed', async () => {
  setLogin(openApp(), login)
  const client = openApp()
  const ended = vi.fn<() => void>()
  onLoginEnd(client, ended)
  expect(ended).not.toHaveBeenCalled()
  await client.fetchQuery({ ...loginQuery, staleTime: 0 })
  expect(ended).toHaveBeenCalledTimes(1)
  clearLogin(client)
  expect(ended).toHaveBeenCalledTimes(1)

  setLogin(client, login)
  clearLogin(client)
  expect(ended).toHaveBeenCalledTimes(2)
})

test('clearing a login that does not exist sends no request', () => {
  const client = openApp()
  clearLogin(client)
  expect(client.isFetching()).toBe(0)
})

test('a stale response does not overwrite a newer login', async () => {
  const client = openApp()
  setLogin(client, login)
  clearLogin(client)
  setLogin(client, login)
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  expect(loginOf(client)).toEqual(login)
})

test('signing in clears the cache of the previous person', () => {
  const client = openApp()
  client.setQueryData(teamsQuery.queryKey, [team])
  setLogin(client, login)
  expect(client.getQueryData(teamsQuery.queryKey)).toBeUndefined()
})

test('a changed name is stored with the login', () => {
  const client = openApp()
  setLogin(client, login)
  setMe(client, { ...user, firstName: 'Märta' })
  expect(loginOf(client)?.user.firstName).toBe('Märta')
  expect(loginOf(openApp())?.user.firstName).toBe('Märta')
})

test('the app runs when localStorage is blocked', () => {
  vi.stubGlobal('localStorage', undefined)
  const client = openApp()
  setLogin(client, login)
  expect(loginOf(client)).toEqual(login)
})
