import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { RefusalBody } from '#contract/refusal.ts'
import { testApp } from '#testing/app.ts'
import { importRecording } from '#testing/files/recordings.ts'
import { patience } from '#testing/patience.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { maxReadingSeconds } from './importRecording.ts'

const startS = Math.floor(Date.now() / 1000) - 2 * 24 * 60 * 60

/** A short drive as a CSV file; another number is another recording. */
function shortDrive(number: number): string {
  const rows = Array.from({ length: 20 }, (_, n) => `${startS + n},${50 + n * 1e-4},${5 + number}`)
  return ['utc_s,latitude_deg,longitude_deg', ...rows].join('\n')
}

/** A small file that takes many seconds to read. */
function slowFile(): Uint8Array {
  const rows = Buffer.alloc(150_000_000, '1 2 3\n')
  return gzipSync(Buffer.concat([Buffer.from('[column names]\ntime lat long\n[data]\n'), rows]), {
    level: 1,
  })
}

async function scene() {
  const app = await testApp()
  const ana = await app.person('Ana')
  const leo = await app.person('Leo')
  const { id: teamId } = await createTeam(ana, [leo])
  const send = async (person: Person, file: string | Uint8Array, signal?: AbortSignal) => {
    const values = { teamId, name: 'Old race', file, ...(signal && { signal }) }
    const response = await importRecording(app.url, person.jar, values)
    return response.ok ? 'imported' : RefusalBody.parse(await response.json()).code
  }
  return { app, ana, leo, send, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const isReading = () => process.getActiveResourcesInfo().includes('ProcessWrap')
const soon = { timeout: 3000 * patience }

test('imports at the same time wait for each other', async () => {
  await using it = await scene()
  const files = [1, 2, 3, 4].map(shortDrive)
  const sent = files.map((file, index) => it.send(index % 2 === 0 ? it.ana : it.leo, file))
  expect(await Promise.all(sent)).toEqual(files.map(() => 'imported'))
})

test('a file is neither read further nor stored after its sender disconnects', async () => {
  await using it = await scene()
  const leaving = new AbortController()
  const sent = it.send(it.ana, slowFile(), leaving.signal)
  const waiting = it.send(it.ana, shortDrive(1), leaving.signal)
  await expect.poll(isReading, soon).toBe(true)
  leaving.abort()
  await expect(sent).rejects.toThrow('aborted')
  await expect(waiting).rejects.toThrow('aborted')
  await expect.poll(isReading, soon).toBe(false)
  expect(await it.send(it.leo, shortDrive(2))).toBe('imported')
  const sessions = await it.app.database.db.selectFrom('sessions').select('id').execute()
  expect(sessions).toHaveLength(1)
})

test('a server that stops ends the process that reads', async () => {
  const it = await scene()
  const sent = it.send(it.ana, slowFile()).catch(() => 'closed')
  await expect.poll(isReading, soon).toBe(true)
  await it.app[Symbol.asyncDispose]()
  expect(isReading()).toBe(false)
  expect(['closed', 'too-many']).toContain(await sent)
})

test('the time in which the files of a person are read is limited', async () => {
  await using it = await scene()
  const hour = { what: 'import-reading', key: it.ana.id, limit: maxReadingSeconds }
  it.app.rateLimits.enforce({ ...hour, windowMs: 3_600_000, cost: maxReadingSeconds - 1 })
  // Reading it takes a part of a second, which counts as one.
  expect(await it.send(it.ana, shortDrive(1))).toBe('imported')
  expect(await it.send(it.ana, shortDrive(2))).toBe('too-many')
  expect(await it.send(it.leo, shortDrive(2))).toBe('imported')
})
