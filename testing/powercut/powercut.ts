import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { programArguments } from '../bundleThreads.ts'
import { seeded } from '../drives.ts'
import { quickStart } from '../quickStart.ts'
import type { Checked } from './checker.ts'
import { type Chance, Disk, type Found } from './disk.ts'
import type { DiskOperation } from './journal.ts'

/** Share of images taken during the first start. */
const firstStartShare = 0.2
const checkerCount = 2
const zeros = Buffer.alloc(64 * 1024)
const argumentsOf = async (name: string) => [
  ...quickStart,
  ...(await programArguments(fileURLToPath(new URL(name, import.meta.url)))),
]

interface Options {
  images: number
  commits: number
  seed: number
}

export interface Summary {
  checked: number
  /** Images from before the first acknowledgement, which only have to open. */
  empty: number
  failures: string[]
  operations: number
}

/**
 * Records the disk operations of the embedded database, simulates power cuts at random moments, and opens each
 * resulting image, which has all synced data and a random part of the rest. Acknowledged data must be complete.
 */
export async function cutPower({ images, commits, seed }: Options): Promise<Summary> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pitboard-powercut-'))
  // The checkers start while the recording runs.
  const checkerArguments = await argumentsOf('checker.ts')
  const checkers = Array.from({ length: checkerCount }, () =>
    fork(checkerArguments.at(-1)!, { execArgv: checkerArguments.slice(0, -1) }),
  )
  try {
    const journal = await record(folder, commits)
    const random = seeded(seed)
    const moments = momentsIn(journal, images, random)
    const summary: Summary = { checked: 0, empty: 0, failures: [], operations: journal.length }
    const pending = imagesAt(journal, moments, { random, folder })
    const work = async (checker: ChildProcess) => {
      for (let next = pending.next(); !next.done; next = pending.next()) {
        const { name, dataDir, acknowledged } = next.value
        const checked = await ask(checker, dataDir)
        await rm(dataDir, { recursive: true, force: true })
        summary.checked += 1
        if (!acknowledged['session']) summary.empty += 1
        const failure = failureOf(checked, acknowledged)
        if (failure) summary.failures.push(`${name}: ${failure}`)
      }
    }
    await Promise.all(checkers.map(work))
    return summary
  } finally {
    for (const checker of checkers) checker.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function record(folder: string, commits: number): Promise<DiskOperation[]> {
  const file = path.join(folder, 'journal')
  const program = await argumentsOf('writer.ts')
  const args = [...program, path.join(folder, 'data'), file, `${commits}`]
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(writer, 'exit')
  if (code !== 0) throw new Error(`The recorded program exited with ${String(code)}`)
  const journal: DiskOperation[] = deserialize(await readFile(file))
  return journal
}

/** Picks random moments: a share of them in the first start, and half of them right after a sync or rename. */
function momentsIn(journal: DiskOperation[], images: number, random: () => number): number[] {
  const started = journal.findIndex(each => each.do === 'acknowledge')
  const madeAt = journal.findIndex(each => each.do === 'rename' && each.to === 'db')
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from))
  const near = (moment: number, to: number) => {
    if (random() < 0.5) return moment
    const next = journal.findIndex(
      (each, index) => index >= moment && /sync|rename|remove|acknowledge/.test(each.do),
    )
    return next < 0 ? moment : Math.min(next + 1, to)
  }
  return Array.from({ length: images }, (_, n) =>
    n < images * firstStartShare
      ? near(n % 2 === 0 ? between(1, started) : between(madeAt - 1, started), started)
      : near(between(started, journal.length), journal.length),
  ).sort((a, b) => a - b)
}

interface Image {
  name: string
  dataDir: string
  acknowledged: Record<string, number>
}

function* imagesAt(
  journal: DiskOperation[],
  moments: number[],
  { random, folder }: { random: () => number; folder: string },
): Generator<Image> {
  const disk = new Disk()
  const acknowledged: Record<string, number> = {}
  let done = 0
  for (const [index, moment] of moments.entries()) {
    for (; done < moment; done++) {
      const operation = journal[done]
      if (!operation) break
      disk.apply(operation)
      if (operation.do === 'acknowledge') acknowledged[operation.what] = operation.count
    }
    const share = [0, 0, 1, 0.2, 0.5, 0.8][Math.floor(random() * 6)] ?? 0
    const dataDir = path.join(folder, `image-${index}`)
    write(disk.afterPowerCut(chanceOf(share, random)), dataDir)
    const name = `image ${index}, cut after operation ${moment}, ${share * 100} % of the unsynced`
    yield { name, dataDir, acknowledged: { ...acknowledged } }
  }
}

function chanceOf(share: number, random: () => number): Chance {
  return {
    happens: () => random() < share,
    versions: count =>
      share === 0 || share === 1
        ? count * share
        : random() < share
          ? Math.ceil(random() * count)
          : 0,
  }
}

function write(found: Found, name: string) {
  if (found.kind === 'file') return writeSparse(name, found.bytes)
  mkdirSync(name)
  for (const [entry, each] of found.entries) write(each, path.join(name, entry))
}

/** Writes a sparse file: most of a log segment is zeros. */
function writeSparse(name: string, bytes: Buffer) {
  const file = openSync(name, 'w')
  try {
    for (let at = 0; at < bytes.length; at += zeros.length) {
      const piece = bytes.subarray(at, at + zeros.length)
      if (!piece.equals(zeros.subarray(0, piece.length)))
        writeSync(file, piece, 0, piece.length, at)
    }
    ftruncateSync(file, bytes.length)
  } finally {
    closeSync(file)
  }
}

async function ask(checker: ChildProcess, dataDir: string): Promise<Checked> {
  if (!checker.connected) return { error: 'the checker process exited' }
  checker.send(dataDir)
  const ended = new AbortController()
  const answer = once(checker, 'message', ended).then(([checked]): Checked => checked)
  const exit = once(checker, 'exit', ended).then(([code]) => ({
    error: `the checker process exited with ${String(code)}`,
  }))
  const checked = await Promise.race([answer, exit])
  ended.abort()
  await Promise.allSettled([answer, exit])
  return checked
}

function failureOf(checked: Checked, acknowledged: Record<string, number>): string | undefined {
  if ('error' in checked) return checked.error
  const lost = Object.entries(acknowledged).filter(
    ([what, count]) => (checked.held[what] ?? 0) < count,
  )
  if (lost.length === 0) return undefined
  return lost
    .map(([what, count]) => `${what}: ${checked.held[what]} of ${count} acknowledged`)
    .join(', ')
}
