import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { expect, test } from 'vitest'
import { importable } from '#testing/bundleThreads.ts'
import { longestPause } from '#testing/files/longestPause.ts'
import { readInProcess } from './readInProcess.ts'

/** A log that keeps its lines. */
function keptLog() {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  return { lines, log }
}

function requestOf(text: string) {
  return { bytes: Buffer.from(text), dayStartMs: Date.UTC(2026, 5, 1), nowMs: Date.UTC(2026, 6, 1) }
}

/** A CSV file of a car that drives north, with ten positions a second. */
function csvFile(rows: number): string {
  const head = 't_s,latitude_deg,longitude_deg\n'
  const body = Array.from({ length: rows }, (_, n) => `${n / 10},${50 + n * 0.00002},5\n`)
  return head + body.join('')
}

test('the positions of a file are returned in order of time', async () => {
  const { lines, log } = keptLog()
  const answer = await readInProcess(requestOf(csvFile(100)), { log })
  if (!('fixes' in answer)) throw new Error(`refused: ${answer.refused}`)
  const { at, latitude, longitude, speedKmh } = answer.fixes
  expect(at.length).toBeGreaterThan(5)
  expect(Array.from(at)).toEqual(Array.from(at).toSorted((a, b) => a - b))
  expect(latitude[0]).toBe(50)
  expect(Array.from(longitude)).toEqual(Array.from(longitude, () => 5))
  expect(speedKmh).toHaveLength(at.length)
  expect(lines).toEqual([])
})

test('a file that takes too long to read is refused', async () => {
  const { lines, log } = keptLog()
  // A process that never responds.
  const start = () => spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'])
  const answer = await readInProcess(requestOf(csvFile(10)), { log, start, timeoutMs: 500 })
  expect(answer).toEqual({ refused: 'recording-slow' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('took too long')
})

test('a file that needs too much memory is refused, and the server goes on', async () => {
  const { lines, log } = keptLog()
  const rows = '1 2 3\n'.repeat(2_000_000)
  const request = requestOf(`[header]\n[column names]\ntime lat long\n[data]\n${rows}`)
  const answer = await readInProcess(request, { log, maxHeapMb: 48 })
  expect(answer).toEqual({ refused: 'recording-slow' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('needed too much memory')
})

test('a bug of the reader is logged, and the file is refused', async () => {
  const { lines, log } = keptLog()
  const start = () => spawn(process.execPath, ['-e', "throw new Error('no such column')"])
  const answer = await readInProcess(requestOf(csvFile(10)), { log, start })
  expect(answer).toEqual({ refused: 'recording-unreadable' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('no such column')
})

test('a process that cannot be started is logged, and the file is refused', async () => {
  const { lines, log } = keptLog()
  const start = () => spawn('/nowhere/node')
  const answer = await readInProcess(requestOf(csvFile(10)), { log, start })
  expect(answer).toEqual({ refused: 'recording-slow' })
  expect(lines[0]).toContain('ENOENT')
})

test.each(['stdout', 'stderr'])('a process that floods %s is ended', async stream => {
  const { lines, log } = keptLog()
  const code = `const more = () => process.${stream}.write('x'.repeat(100_000), more); more()`
  const start = () => spawn(process.execPath, ['-e', code])
  const answer = await readInProcess(requestOf(csvFile(10)), { log, start, timeoutMs: 10_000 })
  expect(answer).toEqual({ refused: 'recording-unreadable' })
  expect(lines).toHaveLength(1)
  expect(lines[0]?.length).toBeLessThan(100_000)
})

test('a process stopped by a signal is not logged as out of memory', async () => {
  const { lines, log } = keptLog()
  const start = () => spawn(process.execPath, ['-e', 'process.kill(process.pid, "SIGTERM")'])
  const answer = await readInProcess(requestOf(csvFile(10)), { log, start })
  expect(answer).toEqual({ refused: 'recording-slow' })
  expect(lines[0]).toContain('was stopped')
})

test('reading is stopped, and its process ended, without a log line', async () => {
  const { lines, log } = keptLog()
  const reading = new AbortController()
  let ended: Promise<unknown> | undefined
  const start = () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'])
    ended = once(child, 'exit')
    child.once('spawn', () => reading.abort(new Error('not needed any more')))
    return child
  }
  const { signal } = reading
  const read = readInProcess(requestOf(csvFile(10)), { log, start, signal })
  await expect(read).rejects.toThrow('not needed any more')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(lines).toEqual([])
})

/** Runs code in a server of its own, which may open few files, and has `readInProcess` and a request. */
async function serverThat(code: string) {
  const [options, file] = await importable(`${import.meta.dirname}/readInProcess.ts`)
  const start = `
    import { openSync } from 'node:fs'
    import { readInProcess } from '${file}'
    const log = { warn: console.log, error: (fields, text) => console.log(text, fields.err?.code) }
    const request = { bytes: Buffer.from('x'), dayStartMs: null, nowMs: 0 }`
  const words = [...options, '--input-type=module', '-e', `${start}\n${code}`]
  const fewFiles = ['-c', 'ulimit -n 100 && exec "$0" "$@"', process.execPath, ...words]
  return spawn('sh', fewFiles, { stdio: ['ignore', 'pipe', 'inherit'] })
}

test.skipIf(process.platform === 'win32')(
  'a server that cannot open more files keeps running',
  async () => {
    const server = await serverThat(`
    try { for (;;) openSync('/dev/null') } catch {}
    console.log(JSON.stringify(await readInProcess(request, { log })))`)
    expect(await text(server.stdout)).toBe(
      'failed to read a file EMFILE\n{"refused":"recording-slow"}\n',
    )
  },
)

test('reading a large recording leaves the server free', async () => {
  const { log } = keptLog()
  const request = requestOf(csvFile(30_000))
  const pauses = longestPause()
  const answer = await readInProcess(request, { log })
  const { longestMs, wholeMs } = pauses.end()
  expect('fixes' in answer).toBe(true)
  // Relative to the whole time, because the machine may be busy. Reading in this thread would be one long pause.
  expect(longestMs).toBeLessThan(wholeMs / 2)
})
