import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { patchList, withItem, withoutItem } from './patchList.ts'
import { teamsQuery } from './queries.ts'

const noPictures = { logoUpdatedAt: null, photoUpdatedAt: null, ownerId: null }
const north = { id: '1', name: 'Northline Racing', ...noPictures }
const kestrel = { id: '2', name: 'Kestrel Endurance', ...noPictures }
const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

test('an event changes a list that is there', () => {
  const client = new QueryClient()
  client.setQueryData(teamsQuery.queryKey, [north])
  patchList(client, teamsQuery.queryKey, teams => withItem(teams, kestrel, byName))
  expect(client.getQueryData(teamsQuery.queryKey)).toEqual([kestrel, north])
})

test('a list that is not there is not made up from one event', () => {
  const client = new QueryClient()
  patchList(client, teamsQuery.queryKey, teams => withItem(teams, kestrel, byName))
  expect(client.getQueryData(teamsQuery.queryKey)).toBeUndefined()
})

test('an answer that was under way does not undo the event', async () => {
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

test('an item that comes twice stands once, as it came last', () => {
  const renamed = { id: '1', name: 'Aline' }
  expect(withItem([kestrel, north], renamed, byName)).toEqual([renamed, kestrel])
})

test('an item that leaves takes only itself away', () => {
  expect(withoutItem([kestrel, north], '1')).toEqual([kestrel])
  expect(withoutItem([kestrel, north], '3')).toEqual([kestrel, north])
})
