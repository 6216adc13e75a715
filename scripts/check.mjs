// npm run check: types, lint, format, unused code, compose files, licences. Import rules: scripts/imports/rules.mjs.
import { readCommandLine } from './commandLine.mjs'
import { unpinnedImages } from './packages/images.mjs'
import { refusedLicences } from './packages/licences.mjs'
import { ensureInstalled, runQuietly } from './run.mjs'

const checks = [
  // Each checker of a project computes the types of the files that it imports. Projects are checked in parallel.
  { name: 'Types', tool: 'tsc', args: ['-b', '--checkers', '1'] },
  { name: 'Lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'Format', tool: 'biome', args: ['ci', '.'] },
  { name: 'Unused code', tool: 'knip', args: [] },
  {
    name: 'Compose files',
    tool: 'dclint',
    args: '-c deploy/dclint.json --max-warnings 0 compose.yaml compose.single.yaml'.split(' '),
  },
]

/** Tools written in Go collect garbage half as often as by default: faster, but with more memory. */
const env = { GOGC: '200' }

/** Runs all checks in parallel, even after a failure. Returns the names and the output of failed checks. */
export async function check() {
  const results = await Promise.all(
    checks.map(async ({ name, tool, args }) => ({ name, ...(await runQuietly(tool, args, env)) })),
  )
  const refused = refusedLicences().map(
    ({ name, licence }) => `${name}: ${licence ?? 'no licence'}`,
  )
  results.push({ name: 'Licences', code: refused.length, output: refused.join('\n') })
  return results.filter(({ code }) => code !== 0)
}

if (process.argv[1] === import.meta.filename) {
  readCommandLine({ usage: 'npm run check' })
  await ensureInstalled()
  console.log(
    `Checking ${checks.map(({ name }) => name.toLowerCase()).join(', ')}, licences: about a minute.`,
  )
  const failed = await check()
  for (const { name, output } of failed) console.error(`\n— ${name}\n${output.trim()}`)
  const unpinned = unpinnedImages()
  if (unpinned.length > 0)
    console.log(`Not pinned to a digest: ${unpinned.join(', ')}. Run npm run images while online.`)
  if (failed.length > 0) console.error(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`)
  else console.log('All checks passed.')
  process.exitCode = failed.length > 0 ? 1 : 0
}
