// Reads the arguments of `npm test`. Plain Node.
import { testPath } from './testPaths.mjs'

const lanes = /** @type {const} */ (['unit', 'server', 'engines', 'postgres'])

/**
 * Splits the arguments into the lane, if one is named, how often each test runs, and the files or folders. Options that
 * it does not know are among the paths, and so among the problems.
 * @param {readonly string[]} given
 * @returns {import('./testArguments.d.mts').TestArguments}
 */
export function testArguments(given) {
  const at = given.indexOf('--repeat')
  const repeat = at < 0 ? 1 : Number(given[at + 1])
  const rest = at < 0 ? given : given.toSpliced(at, 2)
  const lane = lanes.find(each => rest.includes(`--${each}`)) ?? null
  const paths = rest.filter(each => !lanes.some(name => each === `--${name}`))
  // The test runners ignore a wrong path if another one matches.
  const problems = paths.flatMap(path => testPath(path).problem ?? [])
  if (!(Number.isInteger(repeat) && repeat >= 1))
    problems.push(`--repeat needs a number of times: --repeat 20 FILE`)
  if (at >= 0 && paths.length === 0)
    problems.push('--repeat needs the tests to repeat: --repeat 20 FILE')
  return { lane, repeat, paths, problems }
}
