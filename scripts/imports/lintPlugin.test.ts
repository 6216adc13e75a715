import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Returns the rules of this project that the linter reports for some lines, by line. */
async function reported(lines: readonly string[]): Promise<(string | null)[]> {
  const directory = await mkdtemp(join(tmpdir(), 'lint-'))
  try {
    await writeFile(join(directory, 'code.ts'), lines.join('\n'))
    const oxlint = join(root, 'node_modules/.bin/oxlint')
    const args = ['-c', join(root, '.oxlintrc.json'), '-f', 'unix', join(directory, 'code.ts')]
    const { stdout } = await promisify(execFile)(oxlint, args, { cwd: root }).catch(error => error)
    return lines.map((_, index) => {
      const line = stdout.split('\n').find((each: string) => each.includes(`code.ts:${index + 1}:`))
      return /pitboard\((\w+)\)/.exec(line ?? '')?.[1] ?? null
    })
  } finally {
    await rm(directory, { recursive: true })
  }
}

test('the linter refuses to spread a list into the arguments of a call', async () => {
  expect(
    await reported([
      'export const a = Math.min(...list)',
      'export const b = Math.max(0, ...list.map(each => each.at))',
      'list.push(...other)',
      'export const c = String.fromCharCode(...bytes)',
      'export const d = Math.max(a, b)',
      'list.push(a, b)',
      'export const e = [...list, ...other]',
      'show(...list)',
    ]),
  ).toEqual([...Array(4).fill('spreads'), null, null, null, null])
})

test('the linter refuses plain arithmetic on longitudes', async () => {
  expect(
    await reported([
      'export const a = to.longitude - from.longitude',
      'export const b = (place.longitude + lo) / 2',
      'export const c = Math.min(west, place.longitude)',
      'export const d = from.longitude < to.longitude',
      'export const e = Math.abs(place.longitude) <= 180',
      'export const f = Math.round(place.longitude * 1e7)',
      'export const g = to.latitude - from.latitude',
    ]),
  ).toEqual([...Array(4).fill('longitudes'), null, null, null])
})
