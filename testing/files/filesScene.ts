import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import { RefusalBody, type RefusalCode } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Config } from '#server/config.ts'
import { testApp } from '../app.ts'
import { createTeam } from '../people/createTeam.ts'
import { fileClient } from './files.ts'

export type FilesScene = Awaited<ReturnType<typeof filesScene>>
export type TeamWithFiles = Awaited<ReturnType<FilesScene['newTeam']>>
export type PersonWithFiles = FilesScene['ana']

/** Starts the whole server with a folder for files. Ana and Leo have teams together, Eve is in none of them. */
export async function filesScene(settings: Partial<Config> = {}, clock?: Clock) {
  const dataDir = await mkdtemp(join(tmpdir(), 'pitboard-files-'))
  const app = await testApp({ dataDir, ...settings }, undefined, clock)
  const withFiles = async (name: string) => {
    const person = await app.person(name)
    return Object.assign(person, { files: fileClient(app.url, person.jar) })
  }
  const [ana, leo, eve] = [await withFiles('Ana'), await withFiles('Leo'), await withFiles('Eve')]

  /** Creates a team of Ana and Leo and resets their rate limits. */
  async function newTeam() {
    await app.forgetLimits()
    const { id: teamId } = await createTeam(ana, [leo], 'Night Owls')
    return {
      teamId,
      /** Uploads a file as Ana. */
      upload: (name: string, bytes: Buffer | string = `This is ${name}`) =>
        ana.files.upload({ teamId, name, bytes }),
      names: async (input?: object) =>
        (await ana.call.files.list({ teamId, ...input })).map(({ name }) => name),
      /** Returns the keys of the team's blobs on disk. */
      async blobs() {
        const names = await readdir(join(dataDir, 'files', teamId)).catch(() => [])
        return names.filter(name => !name.endsWith('.meta.json'))
      },
      /** Inserts file rows without blobs, to reach the team's quota quickly. */
      async insertRows(count: number, sizeBytes: number) {
        const rows = Array.from({ length: count }, (_, n) => ({
          team_id: teamId,
          name: `file-${String(n).padStart(4, '0')}`,
          blob_key: `${teamId}/${randomUUID()}`,
          content_type: 'application/octet-stream' as const,
          size_bytes: sizeBytes,
        }))
        await app.database.db.insertInto('files').values(rows).execute()
      },
    }
  }

  return {
    app,
    ana,
    leo,
    eve,
    newTeam,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Vitest's `test` with `filesScene`: one server and its people for a test file, a new team for each test. */
export const test = base
  .extend('scene', { scope: 'file' }, async ({}, { onCleanup }) => {
    const scene = await filesScene()
    onCleanup(() => scene[Symbol.asyncDispose]())
    return scene
  })
  .extend('app', { scope: 'file' }, ({ scene }) => scene.app)
  .extend('ana', { scope: 'file' }, ({ scene }) => scene.ana)
  .extend('leo', { scope: 'file' }, ({ scene }) => scene.leo)
  .extend('eve', { scope: 'file' }, ({ scene }) => scene.eve)
  .extend('team', ({ scene }) => scene.newTeam())
  .extend('teamId', ({ team }) => team.teamId)

/** Returns the code of a refusal, or undefined for a successful response. */
export async function codeOf(response: Promise<Response>): Promise<RefusalCode | undefined> {
  const answer = await response
  const body = await answer.text()
  return answer.ok ? undefined : RefusalBody.parse(JSON.parse(body)).code
}
