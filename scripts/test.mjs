// npm test: installs, checks, then runs the unit, server and browser tests.
// npm test -- PATH…: runs only the tests in these files or folders.
// npm run test:unit: runs the tests that open no database and no browser, within a minute.
// npm run test:server: runs those that open a database, most of them with the whole server.
// npm run test:engines: runs one story in Chromium, Firefox and WebKit, as far as they are installed.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureInstalled, root, runTool } from './run.mjs'

const slowestShown = 10

await ensureInstalled()
const { check } = await import('./check.mjs')
const { ensureBuilt } = await import('./build.mjs')
const { ensureChromium } = await import('./environment/chromium.mjs')
const { startPostgres } = await import('./environment/postgres.mjs')

const reports = mkdtempSync(join(tmpdir(), 'pitboard-test-'))
const failures = []
/** Titles of failed tests, repeated at the end of the output. */
const failedTests = []
const counts = { passed: 0, failed: 0 }

const paths = process.argv.slice(2).filter(each => !each.startsWith('--'))
if (process.argv.includes('--unit')) await project('unit', paths)
else if (process.argv.includes('--server')) await project('server', paths)
else if (process.argv.includes('--engines')) await engineTests()
else if (paths.length > 0) await testsIn(paths)
else await allTests()

rmSync(reports, { recursive: true, force: true })
if (failures.length > 0) console.error(`\nFailed: ${failures.join('; ')}`)
for (const each of failedTests) console.error(`  ${each}`)
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

async function allTests() {
  await lane('checks', async () => {
    for (const name of await check()) note(`check: ${name}`, 1, 0, 1)
  })
  await ensureBuilt()
  // Side by side: each lane waits at times, for processes that start or are killed, or for its longest file.
  const together = { together: true }
  await Promise.all([
    vitest(
      'unit and server tests, embedded database',
      ['--project', 'unit', '--project', 'server', '--project', 'system'],
      { TEST_DATABASE_URL: '' },
      together,
    ),
    testsOnPostgres(together),
    browserTests([]),
  ])
}

async function project(name, files) {
  await ensureBuilt()
  await vitest(`${name} tests`, ['--project', name, ...files], { TEST_DATABASE_URL: '' })
}

async function engineTests() {
  await ensureBuilt()
  await vitest('browser engines', ['--project', 'engines'], { TEST_DATABASE_URL: '' })
}

/** Runs files in `e2e` and `support/e2e` with Playwright, all others with Vitest. */
async function testsIn(files) {
  const inBrowser = files.filter(each =>
    /^(\.\/)?(support\/)?e2e(\/(?!engines)|$)|\.spec\.ts$/.test(each),
  )
  const others = files.filter(each => !inBrowser.includes(each))
  await ensureBuilt()
  if (others.length > 0) await vitest(others.join(' '), others)
  if (inBrowser.length > 0) await browserTests(inBrowser)
}

async function vitest(name, args, env, options) {
  await lane(name, async () => {
    const report = join(reports, `vitest-${randomUUID()}.json`)
    const code = await runTool(
      'vitest',
      ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...args],
      env,
      options,
    )
    const { numPassedTests, numFailedTests, testResults } = readReport(report)
    note(name, code, numPassedTests, numFailedTests)
    return testResults.flatMap(({ name: file, assertionResults }) =>
      assertionResults.map(({ status, fullName, duration = 0 }) => ({
        title: `${relative(root, file)}: ${fullName}`,
        ms: duration,
        failed: status === 'failed',
      })),
    )
  })
}

/** Runs the server tests on the PostgreSQL server of TEST_DATABASE_URL, or on a private one. */
async function testsOnPostgres(options) {
  const given = process.env.TEST_DATABASE_URL
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres()
  if (!postgres) {
    console.log('\n— server tests on PostgreSQL: skipped, PostgreSQL is not installed')
    return
  }
  try {
    await vitest(
      'server tests, PostgreSQL',
      ['--project', 'server', '--project', 'system', 'server/'],
      { TEST_DATABASE_URL: postgres.url },
      options,
    )
  } finally {
    await postgres.stop()
  }
}

async function browserTests(files) {
  const name = 'browser tests'
  const chromium = await ensureChromium()
  if (!chromium) return note(name, 1, 0, 1)
  await lane(name, async () => {
    const report = join(reports, 'playwright.json')
    const code = await runTool('playwright', ['test', '--reporter=list,json', ...files], {
      CHROMIUM_PATH: chromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    })
    const { stats, suites } = readReport(report)
    note(name, code, stats.expected + stats.flaky, stats.unexpected)
    return suites.flatMap(specsIn).map(({ file, title, ok, tests }) => ({
      title: `${file}: ${title}`,
      ms: Math.max(0, ...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
      failed: !ok,
    }))
  })
}

function specsIn({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsIn)]
}

/** Reads a report, which is missing if the run was aborted. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const stats = { expected: 0, flaky: 0, unexpected: 0 }
    return { numPassedTests: 0, numFailedTests: 0, testResults: [], stats, suites: [] }
  } finally {
    rmSync(file, { force: true })
  }
}

/** Runs one group of tests, then prints its duration and its slowest tests. */
async function lane(name, act) {
  console.log(`\n— ${name}`)
  const startedAt = performance.now()
  const tests = (await act()) ?? []
  failedTests.push(...tests.filter(({ failed }) => failed).map(({ title }) => title))
  console.log(`\n${name}: ${seconds(performance.now() - startedAt)}`)
  const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, slowestShown)
  for (const { title, ms } of slowest) console.log(`  ${seconds(ms).padStart(8)}  ${title}`)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

function note(name, code, passed, failed) {
  counts.passed += passed
  // An aborted run counts as one failure even without a failed test.
  counts.failed += code !== 0 ? Math.max(1, failed) : failed
  if (code !== 0) failures.push(name)
}
