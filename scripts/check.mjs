// npm run check: types, lint, format, unused code, compose files, licences. Import rules: scripts/imports/rules.mjs.
import { unpinnedImages } from './packages/images.mjs'
import { refusedLicences } from './packages/licences.mjs'
import { ensureInstalled, runTool } from './run.mjs'

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

/** Runs all checks in parallel, even after a failure. Returns the names of failed checks. */
export async function check() {
  const codes = await Promise.all(
    checks.map(({ name, tool, args }) =>
      runTool(tool, args, env, { together: true, heading: `\n— ${name}\n` }),
    ),
  )
  const failed = checks.filter((_, n) => codes[n] !== 0).map(({ name }) => name)
  console.log('\n— Licences')
  const refused = refusedLicences()
  for (const { name, licence } of refused) console.error(`${name}: ${licence ?? 'no licence'}`)
  if (refused.length > 0) failed.push('Licences')
  const unpinned = unpinnedImages()
  if (unpinned.length > 0)
    console.log(
      `\nNot pinned to a digest: ${unpinned.join(', ')}. Run npm run images while online.`,
    )
  return failed
}

if (process.argv[1] === import.meta.filename) {
  await ensureInstalled()
  const failed = await check()
  if (failed.length > 0) {
    console.error(`\nFailed: ${failed.join(', ')}`)
    process.exitCode = 1
  }
}
