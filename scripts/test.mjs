// npm test: installs, checks, then runs the unit, server and browser tests.
// npm test -- PATH…: runs only the tests in these files or folders, or with FILE:61 the test that contains this line.
// npm test -- --postgres PATH…: runs the server tests in these files or folders on PostgreSQL.
// npm test -- --repeat 20 PATH…: runs them 20 times, and counts the failures of each test.
// npm run test:unit: runs the tests that open no database and no browser, within a minute.
// npm run test:server: runs those that open a database, most of them with the whole server.
// npm run test:engines: runs one story in Chromium, Firefox and WebKit, as far as they are installed.
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ensureInstalled, root, runQuietly } from './run.mjs'

const slowestShown = 10
const slowestFilesShown = 5
/** A lane with more failed tests is not run again. */
const mostFailedAgain = 5
/** Most lines of its servers' log that are printed with a failed browser test. Vitest prints all of them. */
const logLinesShown = 30
/** The output of all tools, and of the servers that tests start. */
const log = join(root, 'test-results/npm-test.log')

await ensureInstalled()
const { check } = await import('./check.mjs')
const { ensureBuilt } = await import('./build.mjs')
const { ensureChromium } = await import('./environment/chromium.mjs')
const { startPostgres } = await import('./environment/postgres.mjs')
const { makeTestFolder } = await import('./environment/testFolder.mjs')
const { testArguments } = await import('./environment/testArguments.mjs')
const { playwrightPaths, vitestPaths } = await import('./environment/testPaths.mjs')

const reports = makeTestFolder()
const embedded = { TEST_DATABASE_URL: '' }
const testReport = join(root, 'scripts/environment/testReport.mjs')
const progress = join(root, 'scripts/environment/testProgress.mjs')

const { lane: chosenLane, repeat, paths, problems } = testArguments(process.argv.slice(2))
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
mkdirSync(dirname(log), { recursive: true })
writeFileSync(log, '')
console.log(plan())
summarize(await chosenLanes())

/** Returns what will run, and about how long it takes. */
function plan() {
  const times = repeat > 1 ? `, ${repeat} times` : ''
  if (chosenLane === 'unit') return 'Unit tests: less than a minute.'
  if (chosenLane === 'server') return `Server tests: about two minutes${times}.`
  if (chosenLane === 'engines') return 'One story in each browser engine: about two minutes.'
  if (paths.length > 0) return `Tests in ${paths.join(', ')}${times}.`
  if (chosenLane === 'postgres') return 'Server tests on PostgreSQL: about two minutes.'
  return `Checks, then unit and server tests, system tests, server tests on PostgreSQL, browser tests: about 20 minutes on two cores.`
}

function chosenLanes() {
  if (chosenLane === 'unit' || chosenLane === 'server') return project(chosenLane, paths)
  if (chosenLane === 'engines') return engineTests()
  if (chosenLane === 'postgres') return onPostgres(paths)
  return paths.length > 0 ? testsIn(paths) : allTests()
}

async function allTests() {
  const [checks] = await Promise.all([lane('checks', checkAll), ensureBuilt()])
  // Tests of several lanes share the processor.
  process.env.TEST_PATIENCE ??= '2'
  // Two lanes at a time keep two cores busy. With three of them each test needs more processor time.
  const pairs = await Promise.all([
    inTurn([embeddedTests, browserTests]),
    inTurn([systemTests, postgresTests]),
  ])
  const lanes = []
  for (const { run, result } of pairs.flat()) lanes.push(await settled(result, run))
  return [checks, ...lanes]
}

async function checkAll() {
  const failed = await check()
  return {
    code: failed.length,
    output: failed.map(({ name, output }) => `— ${name}\n${output.trim()}`).join('\n\n'),
    tests: failed.map(({ name }) => ({ title: name, file: name, ms: 0, status: 'failed' })),
  }
}

/** Runs lanes one after another. */
async function inTurn(runs) {
  const ended = []
  for (const run of runs) ended.push({ run, result: await run([]) })
  return ended
}

/**
 * Runs the files of a lane's failed tests once more, alone: on a small machine a test may time out while
 * other tests use the processor. If they pass now, these tests are unstable: to be repaired, but no failure.
 * The files of errors outside of tests are run again too. If one is not known, the lane has failed: a process that
 * crashed may not have run all its tests.
 */
async function settled(result, run) {
  const failed = result.tests.filter(({ status }) => status === 'failed')
  if (failed.length === 0 || failed.length > mostFailedAgain) return result
  const { errorFiles = [] } = result
  if (errorFiles.includes(null)) return result
  const files = [...new Set([...failed.map(({ file }) => file), ...errorFiles])]
  console.log(`\nOnce more, alone: ${files.join(', ')}`)
  const again = await run(files)
  if (again.code !== 0) return result
  const status = each => (each.status === 'failed' ? 'unstable' : each.status)
  return {
    ...result,
    code: 0,
    tests: result.tests.map(each => ({ ...each, status: status(each) })),
  }
}

async function project(name, files) {
  await ensureBuilt()
  return [await vitest(`${name} tests`, ['--project', name, ...vitestPaths(files)], embedded)]
}

async function onPostgres(files) {
  await ensureBuilt()
  return [await postgresTests(files)]
}

async function engineTests() {
  await ensureBuilt()
  return [await vitest('browser engines', ['--project', 'engines'], embedded)]
}

/** Runs files in `e2e` and `support/e2e` with Playwright, all others with Vitest. The folder `support` has both. */
async function testsIn(files) {
  const inBrowser = files.filter(each =>
    /^(\.\/)?(support\/)?e2e(\/(?!engines)|$)|\.spec\.ts$/.test(each),
  )
  const others = files.filter(each => !inBrowser.includes(each))
  if (others.some(each => /^(\.\/)?support\/?$/.test(each))) inBrowser.push('support/e2e')
  await ensureBuilt()
  const lanes = []
  if (others.length > 0) lanes.push(await vitest('tests without a browser', vitestPaths(others)))
  if (inBrowser.length > 0) lanes.push(await browserTests(inBrowser))
  return lanes
}

function embeddedTests(files) {
  const args = ['--project', 'unit', '--project', 'server', ...vitestPaths(files)]
  return vitest('unit and server tests, embedded database', args, embedded)
}

function systemTests(files) {
  return vitest('system tests', ['--project', 'system', ...vitestPaths(files)], embedded)
}

/** Runs the server tests on the PostgreSQL server of TEST_DATABASE_URL, or on a private one. */
async function postgresTests(files) {
  const name = 'server tests, PostgreSQL'
  const given = process.env.TEST_DATABASE_URL
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres()
  if (!postgres) {
    console.log(`${name}: skipped, PostgreSQL is not installed`)
    return { name, code: 0, tests: [] }
  }
  try {
    const chosen = files.length > 0 ? files : ['server', 'support/server', 'testing/database']
    const args = ['--project', 'server', ...vitestPaths(chosen)]
    return await vitest(name, args, { TEST_DATABASE_URL: postgres.url })
  } finally {
    await postgres.stop()
  }
}

function vitest(name, args, env) {
  return lane(name, async () => {
    const runs = []
    // Vitest has no option for this. Each time starts new processes, so that no test depends on an earlier run.
    for (let n = 1; n <= repeat; n++) {
      const run = await vitestOnce(args, { ...env, TEST_LANE: name })
      if (repeat > 1) console.log(`  ${n} of ${repeat}: ${run.code === 0 ? 'passed' : 'failed'}`)
      runs.push(run)
    }
    const { code, output } = runs.find(each => each.code !== 0) ?? runs[0]
    return {
      code,
      output,
      tests: runs.flatMap(({ tests }) => tests),
      errorFiles: runs.flatMap(({ errorFiles }) => errorFiles),
    }
  })
}

async function vitestOnce(args, env) {
  const report = join(reports, `vitest-${randomUUID()}.json`)
  const reporters = ['minimal', testReport, progress].map(each => `--reporter=${each}`)
  const { code, output } = await runQuietly(
    'vitest',
    ['run', ...reporters, `--outputFile.json=${report}`, ...args],
    { ...env, TEST_LOG: log },
  )
  const { testResults = [], errorFiles = [] } = readReport(report) ?? {}
  return {
    code,
    output,
    tests: testResults.flatMap(testsOf),
    errorFiles: errorFiles.map(path => path && relative(root, path)),
  }
}

function testsOf({ name: path, status: fileStatus, assertionResults }) {
  const file = relative(root, path)
  const tests = assertionResults.map(({ status, fullName, duration = 0 }) => ({
    title: `${file}: ${fullName}`,
    file,
    ms: duration,
    status,
  }))
  // The file cannot be imported, or a hook failed: no test did, but the file must be run again and listed.
  if (fileStatus === 'failed' && tests.every(({ status }) => status !== 'failed'))
    tests.push({ title: file, file, ms: 0, status: 'failed' })
  return tests
}

async function browserTests(files) {
  const name = 'browser tests'
  const chromium = await ensureChromium()
  if (!chromium) return { name, code: 1, tests: [] }
  return lane(name, async () => {
    const report = join(reports, 'playwright.json')
    // One after another: a second worker with the same file would replace the build that its tests serve.
    const repetition = repeat > 1 ? [`--repeat-each=${repeat}`, '--workers=1'] : []
    const { code, output } = await runQuietly(
      'playwright',
      // Quiet: the report has the output of each test.
      [
        'test',
        '--quiet',
        `--reporter=dot,json,${progress}`,
        ...repetition,
        ...playwrightPaths(files),
      ],
      {
        TEST_LANE: name,
        CHROMIUM_PATH: chromium,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        // The default folder is among the temporary files, which are empty at the start of a run.
        PWTEST_CACHE_DIR: join(root, 'node_modules/.cache/playwright'),
      },
    )
    const specs = (readReport(report)?.suites ?? []).flatMap(specsIn)
    const tests = specs.flatMap(({ file, title, tests: runs }) =>
      runs.map(({ status, results: [result] }) => ({
        title: `${file}: ${title}`,
        file,
        // Playwright retries no test: there is one result.
        ms: result?.duration ?? 0,
        status: statusOf(status),
        log: [...(result?.stdout ?? []), ...(result?.stderr ?? [])]
          .map(({ text }) => text)
          .join(''),
      })),
    )
    appendFileSync(log, tests.map(each => each.log).join(''))
    const logs = tests
      .filter(each => each.status === 'failed' && each.log)
      .map(each => `\nLog of ${each.title}\n${lastLines(each.log)}`)
    return { code, output: [output, ...logs].join('\n'), tests }
  })
}

function specsIn({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsIn)]
}

/** Returns Vitest's name of a status of Playwright. */
function statusOf(status) {
  if (status === 'unexpected') return 'failed'
  return status === 'skipped' ? 'skipped' : 'passed'
}

/** Reads a report. It is missing if the run was aborted. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  } finally {
    rmSync(file, { force: true })
  }
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-logLinesShown).join('\n')
}

/** Runs one group of tests. Prints one line when it ends, and before it the output of a tool that failed. */
async function lane(name, act) {
  const startedAt = performance.now()
  const { output = '', ...result } = await act()
  const took = seconds(performance.now() - startedAt)
  appendFileSync(log, [`\n— ${name}, ${took}`, output, ...slowest(result.tests), ''].join('\n'))
  if (result.code !== 0) console.log(`\n${output.trim()}\n`)
  const failed = result.tests.filter(({ status }) => status === 'failed').length
  const counts = `${result.tests.length - failed} passed, ${failed} failed`
  console.log(`${name}: ${result.tests.length > 0 ? counts : 'passed'}, ${took}`)
  return { name, ...result }
}

/** Returns lines with the slowest tests and the slowest files. */
function slowest(tests) {
  const line = ([name, ms]) => `  ${seconds(ms).padStart(8)}  ${name}`
  const byTime = tests.map(({ title, ms }) => [title, ms]).toSorted(([, a], [, b]) => b - a)
  return [
    'slowest tests:',
    ...byTime.slice(0, slowestShown).map(line),
    'slowest files (sum of their tests):',
    ...filesByTime(tests).slice(0, slowestFilesShown).map(line),
  ]
}

/** Returns each file with the duration of all its tests, the slowest first. */
function filesByTime(tests) {
  const files = new Map()
  for (const { file, ms } of tests) files.set(file, (files.get(file) ?? 0) + ms)
  return [...files].toSorted(([, a], [, b]) => b - a)
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}

/** Prints the failed lanes, and sets the exit code. */
function summarize(lanes) {
  const tests = lanes.flatMap(each => each.tests)
  const withStatus = status => tests.filter(each => each.status === status)
  const failed = lanes.filter(({ code }) => code !== 0)
  const unstable = withStatus('unstable')
  if (unstable.length > 0) console.log('\nUnstable, failed beside other tests and passed alone:')
  for (const { title } of unstable) console.log(`  ${title}`)
  if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ name }) => name).join('; ')}`)
  const titles = withStatus('failed').map(({ title }) => title)
  for (const title of new Set(titles)) {
    const times = titles.filter(each => each === title).length
    console.error(`  ${title}${repeat > 1 ? ` (${times} of ${repeat} times)` : ''}`)
  }
  const passed = withStatus('passed').length + unstable.length
  // An aborted lane counts as one failure even without a failed test.
  const aborted = failed.filter(lane => !lane.tests.some(({ status }) => status === 'failed'))
  console.log(`\n${passed} passed, ${withStatus('failed').length + aborted.length} failed`)
  console.log(`Output of tools and servers, slowest tests: ${relative(root, log)}`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
