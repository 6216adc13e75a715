// Converts the files, folders and lines given to `npm test` into arguments of Vitest and Playwright. Plain Node.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { folders } from '../imports/rules.mjs'
import { root } from '../run.mjs'

/** Tests that Vitest runs. */
const isTest = /\.test\.tsx?$/
/** The start of a test, such as `test('…`, `test.each([` and `test.runIf(…)(`. */
const testStart = /^\s*test\b[.(]/

/**
 * Splits `FILE:61` into the file, relative to the project, and the line of the test that contains it: both test runners
 * know only the first line of a test. Any other name is returned unchanged.
 * @param {string} given
 * @returns {import('./testPaths.d.mts').TestPath}
 */
export function testPath(given) {
  if (given.startsWith('-')) {
    const problem = `Unknown option: ${given}. To run one test, name its file and a line of it: FILE:61`
    return { path: given, kind: 'name', problem }
  }
  const [, name = '', line] = /^(.*?)(?::(\d+))?$/.exec(given) ?? []
  const absolute = resolve(root, name)
  const path = relative(root, absolute)
  const isMissing = !existsSync(absolute)
  if (isMissing && name.includes('/'))
    return { path, kind: 'name', problem: `No such file or folder: ${name}` }
  const kind = isMissing ? 'name' : statSync(absolute).isFile() ? 'file' : 'folder'
  if (line === undefined) return { path: isMissing ? name : path, kind }
  if (kind !== 'file') return { path, kind, problem: `A line needs the path of a file: ${given}` }
  const lines = readFileSync(absolute, 'utf8').split('\n').slice(0, Number(line))
  const start = lines.findLastIndex(each => testStart.test(each)) + 1
  if (start === 0) return { path, kind, problem: `No test at or above line ${line} of ${name}` }
  return { path, kind, line: start }
}

/**
 * Returns the arguments with which Vitest runs only these files and folders. A folder is replaced by its files, because
 * Vitest runs all files whose path contains an argument: `web` would also select `support/web`.
 * @param {readonly string[]} given
 */
export function vitestPaths(given) {
  return given.map(testPath).flatMap(each => {
    if (each.kind !== 'folder') return asArgument(each)
    const files = testFiles().filter(file => each.path === '' || file.startsWith(`${each.path}/`))
    // Without an argument Vitest would run all tests.
    return files.length > 0 ? files : [`${each.path}/`]
  })
}

/**
 * Returns the arguments with which Playwright runs only these files and folders: it reads arguments as regular
 * expressions.
 * @param {readonly string[]} given
 */
export function playwrightPaths(given) {
  return given.map(testPath).map(({ path, kind, line }) => {
    if (kind === 'name') return path
    const escaped = join(root, path).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    return asArgument({ path: `^${escaped}${kind === 'file' ? '$' : '/'}`, line })
  })
}

function asArgument({ path, line }) {
  return line === undefined ? path : `${path}:${line}`
}

function testFiles() {
  const inFolders = folders
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name =>
        join(folder, name),
      ),
    )
  return [...readdirSync(root), ...inFolders].filter(file => isTest.test(file))
}
