// npm test: installs, checks, then runs the unit, server and browser tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureInstalled, runTool } from './run.mjs'

await ensureInstalled()
const { check } = await import('./check.mjs')
const { ensureBuilt } = await import('./build.mjs')
const { ensureChromium } = await import('./chromium.mjs')
const { startPostgres } = await import('./postgres.mjs')

const reports = mkdtempSync(join(tmpdir(), 'pitboard-test-'))
const failures = (await check()).map(name => `check: ${name}`)
/** Named again at the end, where they are easy to find. */
const failedTests = []
const counts = { passed: 0, failed: failures.length }

await ensureBuilt()
await tests('unit and server tests, embedded database', [], { TEST_DATABASE_URL: '' })
await testsOnPostgres()
await browserTests()

rmSync(reports, { recursive: true, force: true })
if (failures.length > 0) console.error(`\nFailed: ${failures.join('; ')}`)
for (const each of failedTests) console.error(`  ${each}`)
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

async function tests(name, args, env) {
  console.log(`\n— ${name}`)
  const report = join(reports, 'vitest.json')
  const code = await runTool(
    'vitest',
    ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...args],
    env,
  )
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name: file, assertionResults } of testResults)
    for (const { status, fullName } of assertionResults)
      if (status === 'failed') failedTests.push(`${relative(process.cwd(), file)}: ${fullName}`)
  note(name, code, numPassedTests, numFailedTests)
}

/** The same server tests on a PostgreSQL server: the one of TEST_DATABASE_URL, or a private one. */
async function testsOnPostgres() {
  const given = process.env.TEST_DATABASE_URL
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres()
  if (!postgres) {
    console.log('\n— server tests on PostgreSQL: left out, there is no PostgreSQL on this machine')
    return
  }
  try {
    await tests('server tests, PostgreSQL', ['server'], { TEST_DATABASE_URL: postgres.url })
  } finally {
    await postgres.stop()
  }
}

async function browserTests() {
  const name = 'browser tests'
  console.log(`\n— ${name}`)
  const chromium = await ensureChromium()
  if (!chromium) return note(name, 1, 0, 1)
  const report = join(reports, 'playwright.json')
  const code = await runTool('playwright', ['test', '--reporter=list,json'], {
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  const { stats } = JSON.parse(readFileSync(report, 'utf8'))
  note(name, code, stats.expected + stats.flaky, stats.unexpected)
}

function note(name, code, passed, failed) {
  counts.passed += passed
  // A run that broke without a failed test still failed.
  counts.failed += code !== 0 ? Math.max(1, failed) : failed
  if (code !== 0) failures.push(name)
}
