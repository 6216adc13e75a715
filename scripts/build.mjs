// Builds what is out of date: the web app into dist/web, the server into dist/server.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { applyPatches } from './applyPatches.mjs'
import { writeNotices } from './notices.mjs'
import { hashOf, mustSucceed, root, runTool } from './run.mjs'

/**
 * Answers at once when nothing has changed since the last build.
 * @param {{ folder?: string, suffix?: string, flags?: string[] }} [options] Where to, from the project's
 *   folder; what the version ends in and what Vite is told, for a build that is to be another than the usual.
 */
export async function ensureBuilt({ folder = 'dist', suffix = '', flags = [] } = {}) {
  const stamp = join(root, folder, '.built-from')
  const wanted = hashOf([
    'contract',
    'client',
    'server',
    'support',
    'web',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
    'patches',
    'scripts/build.mjs',
    'scripts/notices.mjs',
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Building…')
  // Missing after `npm ci --ignore-scripts`.
  applyPatches()
  const version = versionOf(wanted) + suffix
  rmSync(join(root, folder), { recursive: true, force: true })
  await mustSucceed(
    runTool('vite', ['build', '--logLevel', 'warn', ...flags], {
      APP_VERSION: version,
      // The caller, such as a test runner, may have another NODE_ENV.
      NODE_ENV: 'production',
      WEB_DIR: `${folder}/web`,
    }),
    'Building the web app',
  )
  writeNotices(join(root, folder, 'web'))
  compressAssets(join(root, folder, 'web', 'assets'))
  await buildServer(folder)
  writeFileSync(join(root, folder, 'web', 'version.json'), JSON.stringify({ version }))
  writeFileSync(stamp, wanted)
}

/** Compressed once, as small as it gets, rather than at every request. */
function compressAssets(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const content = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content))
  }
}

/** The package's version and what it was built from: two builds of the same sources are the same. */
function versionOf(hash) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `${version}+${hash.slice(0, 12)}`
}

/** The server, its restore and the thread of its embedded database; packages stay in node_modules, because some bring files of their own. */
async function buildServer(folder) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'server/main.ts',
      restore: 'server/restore.ts',
      databaseThread: 'server/db/embedded/databaseThread.ts',
    },
    outdir: `${folder}/server`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
  })
  cpSync(join(root, 'server/db/migrations'), join(root, folder, 'server/migrations'), {
    recursive: true,
  })
}
