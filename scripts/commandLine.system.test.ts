import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

/** Scripts that npm runs by itself, those of a tool, and those that build before they read their command line. */
const notRun = ['postinstall', 'fix', 'test:watch', 'recompute', 'restore', 'shots']

const commands = Object.entries(scripts).filter(([name]) => !notRun.includes(name))

/** Runs a script of package.json as npm does, with more arguments. */
function run(script: string, ...more: string[]) {
  const [, ...given] = script.split(' ')
  return new Promise<{ code: unknown; output: string }>(resolve =>
    execFile(process.execPath, [...given, ...more], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  )
}

test.each(commands)(
  'npm run %s refuses an unknown option with a sentence',
  async (_, script) => {
    const { code, output } = await run(script, '--unknown-option')
    expect(output).not.toMatch(/\n\s+at /)
    expect(output).toMatch(/npm |relay\.mjs|FILE/)
    expect([1, 2]).toContain(code)
  },
  30_000,
)

test.each([
  ['bench', 'nothing', 'Unknown bench: nothing.'],
  ['bench', '--engine=oracle', '--engine is neither embedded nor postgres.'],
  ['bench', '--rounds=many', '--rounds many is not a number of 0 or more.'],
  ['simulate', '--seed', "Option '--seed <value>' argument missing."],
  ['simulate', '--race=long', '--race long is not a number of 0 or more.'],
  ['fuzz', '--cases=-1', '--cases -1 is not a number of 0 or more.'],
  ['powercut', 'now', "Unknown argument 'now'."],
  ['spec', 'DR-1', "Unknown argument 'DR-1'."],
  ['word', '', 'The font cannot show'],
  ['relay', '--from=timing', 'Name --from, --to, --race and --token.'],
  ['laps', join(root, 'missing.csv'), 'missing.csv cannot be read'],
  ['timing', join(root, 'missing.txt'), 'missing.txt cannot be read'],
] as const)('npm run %s -- %s is refused with a sentence', async (name, word, sentence) => {
  const { code, output } = await run(scripts[name] ?? '', word)
  expect(output).toContain(sentence)
  expect(output).not.toMatch(/\n\s+at /)
  expect([1, 2]).toContain(code)
})
