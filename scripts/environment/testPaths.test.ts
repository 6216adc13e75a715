import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playwrightPaths, testPath, vitestPaths } from './testPaths.mjs'

const root = join(import.meta.dirname, '../..')
const here = 'scripts/environment/testPaths.test.ts'

function lineOf(text: string): number {
  return (
    readFileSync(join(root, here), 'utf8')
      .split('\n')
      .findIndex(each => each.includes(text)) + 1
  )
}

test('a folder selects only its own files, even if its name is part of another path', () => {
  const files = vitestPaths(['./web/'])
  expect(files).toContain('web/message/delivery.test.ts')
  expect(files.filter(each => !each.startsWith('web/'))).toEqual([])
  expect(vitestPaths(['docs'])).toEqual(['docs/'])
  const [pattern = ''] = playwrightPaths(['e2e'])
  expect(join(root, 'e2e/team/roles.spec.ts')).toMatch(new RegExp(pattern))
  expect(join(root, 'support/e2e/team/roles.spec.ts')).not.toMatch(new RegExp(pattern))
})

test('a name without a folder is found anywhere in a path', () => {
  expect(vitestPaths(['testPaths'])).toEqual(['testPaths'])
  expect(playwrightPaths(['roles'])).toEqual(['roles'])
})

test('a line selects the test that contains it', () => {
  const first = lineOf("test('a line selects")
  for (const line of [first, first + 2]) {
    expect(vitestPaths([`${here}:${line}`])).toEqual([`${here}:${first}`])
    expect(playwrightPaths([`${here}:${line}`])[0]).toMatch(
      new RegExp(`testPaths\\\\.test\\\\.ts\\$:${first}$`),
    )
  }
})

test.each([
  ['scripts/missing.test.ts', 'No such file or folder: scripts/missing.test.ts'],
  ['web:3', 'A line needs the path of a file: web:3'],
  ['testPaths.test.ts:3', 'A line needs the path of a file: testPaths.test.ts:3'],
  ['-t', 'Unknown option: -t. To run one test, name its file and a line of it: FILE:61'],
  [`${here}:3`, `No test at or above line 3 of ${here}`],
])('%s is refused', (given, problem) => {
  expect(testPath(given).problem).toBe(problem)
})
