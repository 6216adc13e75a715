import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const vitest = path.resolve('node_modules/vitest/vitest.mjs')
const reporter = path.resolve('scripts/environment/testReport.mjs')
const progress = path.resolve('scripts/environment/testProgress.mjs')

/** Runs two tests, each in a file and a process of its own. Returns the results as `npm test` reads them. */
async function reportOf(bodies: { a: string; b: string }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pitboard-report-'))
  try {
    for (const [name, body] of Object.entries(bodies))
      await writeFile(path.join(folder, `${name}.test.js`), `test('it', async () => { ${body} })`)
    const report = path.join(folder, 'report.json')
    const options = [`--root=${folder}`, `--reporter=${reporter}`, `--outputFile.json=${report}`]
    const args = [vitest, 'run', '--globals', '--pool=forks', ...options]
    await new Promise(resolve => execFile(process.execPath, args, resolve))
    const {
      errorFiles,
      numFailedTests,
    }: { errorFiles: (string | null)[]; numFailedTests: number } = JSON.parse(
      await readFile(report, 'utf8'),
    )
    return {
      failed: numFailedTests,
      errorFiles: errorFiles.map(file => file && path.basename(file)),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('errors outside of tests are reported with their files, beside failed tests', async () => {
  const failing = { b: 'throw new Error()' }
  expect(await reportOf({ a: '', ...failing })).toEqual({ failed: 1, errorFiles: [] })
  const reject = 'Promise.reject(new Error()); await new Promise(setImmediate)'
  expect(await reportOf({ a: reject, ...failing })).toEqual({
    failed: 1,
    errorFiles: ['a.test.js'],
  })
  const crash = 'process.kill(process.pid, "SIGKILL")'
  expect(await reportOf({ a: crash, ...failing })).toEqual({ failed: 1, errorFiles: [null] })
})

test('a failed test is named at once, and no passed one', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pitboard-progress-'))
  try {
    const tests = `test('passes', () => {}); test('fails', () => { throw new Error() })`
    await writeFile(path.join(folder, 'a.test.js'), tests)
    const args = [vitest, 'run', '--globals', `--root=${folder}`, `--reporter=${progress}`]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, TEST_LANE: 'lane' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    expect(await text(child.stdio[3] as NodeJS.ReadableStream)).toBe(
      '  lane: failed: a.test.js: fails\n',
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
