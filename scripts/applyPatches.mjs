// npm's postinstall: applies patches/ to the packages in node_modules.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * Applies what is not applied yet. Ends the process if a patch does not fit, or is for another version of
 * its package, which patch-package by itself only warns about.
 */
export function applyPatches() {
  const tool = join(root, 'node_modules', 'patch-package', 'index.js')
  // All patched packages are devDependencies, as the tool is: `npm ci --omit=dev` installs none of them.
  if (!existsSync(tool)) return
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tool, '--error-on-fail', '--error-on-warn'],
    { cwd: root, encoding: 'utf8' },
  )
  if (status === 0) return
  console.error(
    `${stdout}${stderr}\nApplying patches/ to node_modules failed: see patches/README.md.`,
  )
  process.exit(1)
}

if (process.argv[1] === import.meta.filename) applyPatches()
