import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { addMember } from '#testing/people/addMember.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'

let app: TestApp
/** Creates the team, so she owns it. */
let ana: Person
let leo: Person

beforeAll(async () => {
  app = await testApp()
  ;[ana, leo] = [await app.person('Ana'), await app.person('Leo')]
})
afterAll(() => app[Symbol.asyncDispose]())

test('the owner renames the team; its members are notified', async () => {
  const { id: teamId } = await createTeam(ana, [leo], 'Nigth Owls')
  const connection = await leo.connect()
  const renamed = await ana.call.teams.rename({ teamId, name: ' Night Owls ' })
  expect(renamed).toMatchObject({ id: teamId, name: 'Night Owls', ownerId: ana.id })
  expect(await connection.next('team-changed')).toEqual({ t: 'team-changed', team: teamId })
  expect((await leo.call.teams.get({ teamId })).name).toBe('Night Owls')
  connection.close()
})

test('nobody else renames it, and it always has a name', async () => {
  const { id: teamId } = await ana.call.teams.create({ name: 'Night Owls' })
  const rename = (who: Person, name: string) => who.call.teams.rename({ teamId, name })
  await expect(rename(leo, 'Mine')).rejects.toMatchObject({ code: 'not-a-member' })
  await addMember(ana, teamId, leo)
  await expect(rename(leo, 'Mine')).rejects.toMatchObject({ code: 'not-the-owner' })
  await expect(rename(ana, '  ')).rejects.toMatchObject({ code: 'invalid-input' })
  expect((await ana.call.teams.get({ teamId })).name).toBe('Night Owls')
})

test('members are notified of a new and of a deleted file', async () => {
  const { id: teamId } = await createTeam(ana, [leo], 'Night Owls')
  const connection = await leo.connect()
  const file = { teamId, name: 'setup.txt' }
  const uploaded = await fileClient(app.url, ana.jar).send(
    formOf({ ...file, file: Buffer.from('Camber -2.5') }),
  )
  expect(uploaded.status).toBe(200)
  expect(await connection.next('team-changed')).toMatchObject({ team: teamId })
  await ana.call.files.delete(file)
  expect(await connection.next('team-changed')).toMatchObject({ team: teamId })
  connection.close()
})
