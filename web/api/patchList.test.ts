import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { patchList, withItem, withoutItem } from './patchList.ts'
import { teamsQuery } from './teamQueries.ts'

const noPictures = {
  logoUpdatedAt: null,
  photoUpdatedAt: null,
  ownerId: null,
  role: 'member' as const,
}
const north = { id: '1', name: 'Northline Racing', ...noPictures }
const kestrel = { id: '2', name: 'Kestrel Endurance', ...noPictures }
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

test('an event changes a cached list', () => {
  const client = new QueryClient()
  client.setQueryData(teamsQuery.queryKey, [north])
  patchList(client, teamsQuery.queryKey, teams => withItem(teams, kestrel, byName))
  expect(client.getQueryData(teamsQuery.queryKey)).toEqual([kestrel, north])
})

test('an event does not create a list that is not cached', () => {
  const client = new QueryClient()
  patchList(client, teamsQuery.queryKey, teams => withItem(teams, kestrel, byName))
  expect(client.getQueryData(teamsQuery.queryKey)).toBeUndefined()
})

test('a pending response does not undo the event', async () => {
  const client = new QueryClient()
  client.setQueryData(teamsQuery.queryKey, [north])
  let answer = (_teams: (typeof north)[]): void => undefined
  const asked = client.fetchQuery({
    queryKey: teamsQuery.queryKey,
    queryFn: () =>
      new Promise<(typeof north)[]>(resolve => {
        answer = resolve
      }),
  })
  asked.catch(() => undefined)

  patchList(client, teamsQuery.queryKey, teams => withItem(teams, kestrel, byName))
  answer([north])
  await asked.catch(() => undefined)

  expect(client.getQueryData(teamsQuery.queryKey)).toEqual([kestrel, north])
})

test('an item received twice appears once, in its last form', () => {
  const renamed = { id: '1', name: 'Aline' }
  expect(withItem([kestrel, north], renamed, byName)).toEqual([renamed, kestrel])
})

test('removing an item leaves the others', () => {
  expect(withoutItem([kestrel, north], '1')).toEqual([kestrel])
  expect(withoutItem([kestrel, north], '3')).toEqual([kestrel, north])
})
