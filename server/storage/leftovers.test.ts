import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  codeOf,
  type FilesScene,
  filesScene,
  type TeamWithFiles,
} from '#testing/files/filesScene.ts'
import { type S3Server, startS3Server } from '#testing/files/s3.ts'
import { s3Store } from '../blobs/blobStore.ts'
import { discardBlob, recordPendingBlob } from './leftovers.ts'

/** The whole server with its files in an S3 store that can be made to fail. */
let s3: S3Server
let scene: FilesScene
let team: TeamWithFiles

beforeAll(async () => {
  s3 = await startS3Server()
  scene = await filesScene({ s3: s3.settings, logLevel: 'silent' })
})
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
  await s3[Symbol.asyncDispose]()
})
beforeEach(async () => {
  s3.mood = 'fine'
  team = await scene.newTeam()
})

const read = (name: string) => scene.ana.files.get({ teamId: team.teamId, name })
const remove = (name: string) => scene.ana.call.files.delete({ teamId: team.teamId, name })
const objects = () => [...s3.objects.keys()].filter(key => key.includes(team.teamId))

test('files in an S3 store are listed, read, replaced and deleted like any other', async () => {
  await team.upload('plan', 'old')
  await team.upload('plan', 'newer')
  expect(await team.names()).toEqual(['plan'])
  expect(await (await read('plan')).text()).toBe('newer')
  expect(objects()).toEqual([
    expect.stringMatching(new RegExp(`^pitboard-files/${team.teamId}/[0-9a-f-]{36}$`)),
  ])
  await remove('plan')
  expect(objects()).toEqual([])
})

test('while the store is broken, files are listed and other requests fail', async () => {
  await team.upload('plan')
  s3.mood = 'broken'
  await expect(team.upload('other')).rejects.toMatchObject({
    code: 'not-ready',
    message: 'Files cannot be reached. Try again.',
  })
  expect(await codeOf(read('plan'))).toBe('not-ready')
  expect(await team.names()).toEqual(['plan'])
  s3.mood = 'fine'
  expect(await (await read('plan')).text()).toBe('This is plan')
})

test('a file deleted while the store is broken leaves the store later', async () => {
  await team.upload('plan')
  s3.mood = 'broken'
  await remove('plan')
  expect(await team.names()).toEqual([])
  expect(await codeOf(read('plan'))).toBe('not-found')
  expect(objects()).toHaveLength(1)
  s3.mood = 'fine'
  await team.upload('other')
  expect(objects()).toHaveLength(1)
  expect(await (await read('other')).text()).toBe('This is other')
})

test('a truncated or missing blob is not served', async () => {
  await team.upload('plan')
  const [key = ''] = objects()
  s3.objects.set(key, Buffer.from('Th'))
  expect(await codeOf(read('plan'))).toBe('not-ready')
  s3.objects.delete(key)
  expect(await codeOf(read('plan'))).toBe('not-ready')
})

test('the blob of an interrupted upload is removed after an hour', async () => {
  const { db } = scene.app.database
  const key = `${team.teamId}/cut-off`
  await recordPendingBlob(db, key)
  await s3Store(s3.settings).put(key, Buffer.from('x'))
  await team.upload('first')
  expect(objects()).toHaveLength(2)
  await discardBlob(db, key)
  await team.upload('second')
  expect(objects()).toHaveLength(2)
  expect(objects()).not.toContain(`pitboard-files/${key}`)
})

test('a blob in use is never removed, even if recorded as a leftover', async () => {
  await team.upload('plan')
  const { db } = scene.app.database
  const { blob_key } = await db
    .selectFrom('files')
    .select('blob_key')
    .where('team_id', '=', team.teamId)
    .executeTakeFirstOrThrow()
  await db.insertInto('blob_leftovers').values({ blob_key }).execute()
  await team.upload('other')
  expect(await (await read('plan')).text()).toBe('This is plan')
})
