import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Login } from '#contract/auth.ts'
import { clearLogin, onLoginEnd, rememberLogin, setLogin, setMe } from './login.ts'
import { loginQuery } from './loginQuery.ts'
import { teamsQuery } from './queries.ts'

const user = {
  id: '7b0c8a3e-0d3f-4f6e-9a27-6a2f8f6f1c11',
  firstName: 'Marta',
  lastName: 'Lindqvist',
  email: 'marta@northline.example',
  status: 'Inactive',
  activeTeamId: null,
  isAnonymous: false,
} as const
const team = {
  id: '1',
  name: 'Northline Racing',
  logoUpdatedAt: null,
  photoUpdatedAt: null,
  ownerId: null,
}
const login = { user, expiresAt: Date.now() + 60_000 }

let kept: Map<string, string>
/** Who is signed in, if the server is asked. */
let answered: Login | null

beforeEach(() => {
  kept = new Map()
  answered = null
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ login: answered })))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** The app opened on this device. */
function opened() {
  const client = new QueryClient()
  rememberLogin(client)
  return client
}

function loginOf(client: QueryClient) {
  return client.getQueryData(loginQuery.queryKey)?.login
}

test('the app opens with the login this device saw last, and asks the server all the same', () => {
  setLogin(opened(), login)
  const later = opened()
  expect(loginOf(later)).toEqual(login)
  expect(later.getQueryState(loginQuery.queryKey)?.dataUpdatedAt).toBe(0)
})

test('a login that is over by its own date is not used', () => {
  setLogin(opened(), { ...login, expiresAt: Date.now() - 1 })
  expect(loginOf(opened())).toBeUndefined()
})

// spec: AU-2
test('after signing out nothing of the person is left', () => {
  const client = opened()
  setLogin(client, login)
  client.setQueryData(teamsQuery.queryKey, [team])
  clearLogin(client)
  expect(loginOf(client)).toBeNull()
  expect(client.getQueryData(teamsQuery.queryKey)).toBeUndefined()
  expect(loginOf(opened())).toBeUndefined()
})

// spec: AU-3
test('a login that is lost is asked for once more: another tab may have a new one', async () => {
  const client = opened()
  setLogin(client, login)
  answered = { ...login, user: { ...user, firstName: 'Märta' } }
  clearLogin(client)
  expect(loginOf(client)).toBeNull()
  await vi.waitFor(() => expect(loginOf(client)?.user.firstName).toBe('Märta'))
})

// spec: AU-2
test('the end of a login is told once, also of one that ended while the app was closed', async () => {
  setLogin(opened(), login)
  const client = opened()
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

test('where nobody was signed in, nothing is asked', () => {
  const client = opened()
  clearLogin(client)
  expect(client.isFetching()).toBe(0)
})

test('an answer about the login of before does not undo a new one', async () => {
  const client = opened()
  setLogin(client, login)
  clearLogin(client)
  setLogin(client, login)
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  expect(loginOf(client)).toEqual(login)
})

test('who signs in sees nothing of who was there before', () => {
  const client = opened()
  client.setQueryData(teamsQuery.queryKey, [team])
  setLogin(client, login)
  expect(client.getQueryData(teamsQuery.queryKey)).toBeUndefined()
})

test('a new name of one’s own is kept', () => {
  const client = opened()
  setLogin(client, login)
  setMe(client, { ...user, firstName: 'Märta' })
  expect(loginOf(client)?.user.firstName).toBe('Märta')
  expect(loginOf(opened())?.user.firstName).toBe('Märta')
})

test('a browser that forbids storage still runs the app', () => {
  vi.stubGlobal('localStorage', undefined)
  const client = opened()
  setLogin(client, login)
  expect(loginOf(client)).toEqual(login)
})
