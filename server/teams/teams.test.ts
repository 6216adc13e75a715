import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { addMember } from '#testing/people/addMember.ts'
import type { Person } from '#testing/people/person.ts'

let app: TestApp
let ana: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana', 'Lindqvist')
})
afterAll(() => app[Symbol.asyncDispose]())

// spec: EN-8 CA-6
test('teams are listed by name, only to their members', async () => {
  const person = await app.person('Zoe')
  for (const name of ['Zebras', 'antelopes', 'Éclair', 'Eagles']) {
    await person.call.teams.create({ name })
  }
  const names = (await person.call.teams.list()).map(team => team.name)
  expect(names).toEqual(['antelopes', 'Eagles', 'Éclair', 'Zebras'])
  expect(await (await app.person('Yan')).call.teams.list()).toEqual([])
})

test('outer and doubled inner spaces in a name are removed', async () => {
  const team = await ana.call.teams.create({ name: '  Night  Owls ' })
  expect(team.name).toBe('Night Owls')
})

test('a member who leaves is removed; their session goes on', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const leo = await app.person('Leo')
  await addMember(ana, team.id, leo)
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const connection = await ana.connect()
  connection.send({ t: 'subscribe', room: `team:${team.id}` })
  await connection.next('snapshot')

  await leo.call.teams.leave({ teamId: team.id })

  expect(await connection.next('member-removed')).toMatchObject({ member: leo.id })
  expect((await ana.call.sessions.listActive({ teamId: team.id })).map(({ id }) => id)).toEqual([
    session.id,
  ])
  expect(await leo.call.teams.list()).not.toContainEqual(team)
})
