// npm's postinstall: applies patches/ to the packages in node_modules.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/**
 * Applies missing patches. Exits the process if a patch fails or is for another version of its package, which
 * patch-package only warns about by default.
 */
export function applyPatches() {
  const tool = join(root, 'node_modules', 'patch-package', 'index.js')
  // patch-package and all patched packages are devDependencies: `npm ci --omit=dev` installs none of them.
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
