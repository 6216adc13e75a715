import { existsSync } from 'node:fs'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '#testing/database.ts'
import { DatabaseRefused } from './database.ts'
import { lockDirectory } from './directoryLock.ts'
import { thisProcess } from './processIdentity.ts'

/** Above the largest pid of Linux. */
const nobody = 4_194_305

test('the lock names the process and is removed by its release', async () => {
  await using files = await lockFiles()
  const lock = await lockDirectory(files.directory, fail)
  expect(await holderOf(files.lock)).toEqual(thisProcess())
  await expect(lockDirectory(files.directory, fail)).rejects.toThrow(
    `The database in ${files.directory} is in use by process ${process.pid}.`,
  )
  lock.release()
  expect(existsSync(files.lock)).toBe(false)
})

test('only one of many concurrent callers gets the lock', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), pid: nobody }))
  const asked = Array.from({ length: 10 }, () => lockDirectory(files.directory, fail))
  const answers = await Promise.allSettled(asked)
  const got = answers.filter(answer => answer.status === 'fulfilled')
  expect(got).toHaveLength(1)
  const refused = answers.filter(
    answer => answer.status === 'rejected' && answer.reason instanceof DatabaseRefused,
  )
  expect(refused).toHaveLength(9)
  got[0]!.value.release()
})

test('the lock of a dead process is taken over', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), pid: nobody }))
  const lock = await lockDirectory(files.directory, fail)
  expect(await holderOf(files.lock)).toEqual(thisProcess())
  lock.release()
})

test('the lock of a process whose pid was reused is taken over', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), startTime: '1' }))
  const lock = await lockDirectory(files.directory, fail)
  expect(await holderOf(files.lock)).toEqual(thisProcess())
  lock.release()
})

test('a lock from another container without heartbeats is taken over', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), place: 'elsewhere' }))
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(files.lock, longAgo, longAgo)
  const lock = await lockDirectory(files.directory, fail)
  expect(await holderOf(files.lock)).toEqual(thisProcess())
  lock.release()
})

test('a lock from another container with heartbeats is respected', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), place: 'elsewhere' }))
  const asking = lockDirectory(files.directory, fail)
  const soon = new Date(Date.now() + 1_000)
  await utimes(files.lock, soon, soon)
  await expect(asking).rejects.toThrow('is in use by process')
})

test('a truncated lock file and a guard left by a crash do not block the start', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, '{"pid":')
  await mkdir(`${files.lock}.guard`)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(`${files.lock}.guard`, longAgo, longAgo)
  const lock = await lockDirectory(files.directory, fail)
  expect(await holderOf(files.lock)).toEqual(thisProcess())
  lock.release()
})

async function holderOf(lockFile: string): Promise<unknown> {
  return JSON.parse(await readFile(lockFile, 'utf8'))
}

async function lockFiles() {
  const { dataDir, [Symbol.asyncDispose]: remove } = await temporaryDirectory()
  const directory = path.join(dataDir, 'db')
  return { directory, lock: `${directory}.lock`, [Symbol.asyncDispose]: remove }
}

function fail(error: unknown): never {
  throw error
}
