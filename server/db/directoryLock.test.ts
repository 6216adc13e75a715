import { existsSync } from 'node:fs'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '#testing/database/database.ts'
import { DatabaseRefused } from './database.ts'
import { lockDirectory } from './directoryLock.ts'
import { thisProcess } from './processIdentity.ts'

/** Above the largest pid of Linux. */
const unusedPid = 4_194_305

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
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), pid: unusedPid }))
  const attempts = Array.from({ length: 10 }, () => lockDirectory(files.directory, fail))
  const results = await Promise.allSettled(attempts)
  const got = results.filter(answer => answer.status === 'fulfilled')
  expect(got).toHaveLength(1)
  const refused = results.filter(
    answer => answer.status === 'rejected' && answer.reason instanceof DatabaseRefused,
  )
  expect(refused).toHaveLength(9)
  got[0]!.value.release()
})

test('the lock of a dead process is taken over', async () => {
  await using files = await lockFiles()
  await writeFile(files.lock, JSON.stringify({ ...thisProcess(), pid: unusedPid }))
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
  const attempt = lockDirectory(files.directory, fail)
  const future = new Date(Date.now() + 1_000)
  await utimes(files.lock, future, future)
  await expect(attempt).rejects.toThrow('is in use by process')
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
