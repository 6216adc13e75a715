// Builds the web app into dist/web and the server into dist/server, if they are out of date.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { applyPatches } from './packages/applyPatches.mjs'
import { writeServerNotices, writeWebNotices } from './packages/notices.mjs'
import { ownMappings } from './packages/ownMappings.mjs'
import { hashOf, mustSucceed, root, runTool } from './run.mjs'

/**
 * Returns at once if no source has changed since the last build.
 * @param {{ folder?: string, suffix?: string, flags?: string[] }} [options] Output folder relative to the project,
 *   suffix of the version, and flags for Vite, for a build that differs from the usual one.
 */
export async function ensureBuilt({ folder = 'dist', suffix = '', flags = [] } = {}) {
  const stamp = join(root, folder, '.built-from')
  const wanted = hashOf([
    'contract',
    'client',
    'racing',
    'server',
    'support',
    'web',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
    'patches',
    'scripts/build.mjs',
    'scripts/packages/notices.mjs',
    'scripts/packages/ownMappings.mjs',
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Building…')
  // Patches are missing after `npm ci --ignore-scripts`.
  applyPatches()
  const version = versionOf(wanted) + suffix
  rmSync(join(root, folder), { recursive: true, force: true })
  await mustSucceed(
    runTool('vite', ['build', '--logLevel', 'warn', ...flags], {
      APP_VERSION: version,
      // The caller, such as a test runner, may have set another NODE_ENV.
      NODE_ENV: 'production',
      WEB_DIR: `${folder}/web`,
    }),
    'Building the web app',
  )
  writeWebNotices(join(root, folder, 'web'))
  compressFiles(join(root, folder, 'web', 'assets'))
  compressFiles(join(root, folder, 'web'))
  await buildServer(folder, version)
  writeFileSync(join(root, folder, 'web', 'version.json'), JSON.stringify({ version }))
  writeFileSync(stamp, wanted)
}

/** Compresses the files of a folder at the highest level once, instead of at every request. */
function compressFiles(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const content = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content))
  }
}

/** Returns the package's version with a hash of the sources: the same sources have the same version. */
function versionOf(hash) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `${version}+${hash.slice(0, 12)}`
}

/**
 * Options of esbuild for the programs of the server. Their packages are bundled, because loading 155 packages from
 * node_modules takes a third of the processor time of a start.
 */
export const programOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // PGlite and sharp read files of their own, and the licence of sharp's libvips (LGPL) requires that it can be replaced.
  // pg-native is an optional dependency of pg that is not installed.
  external: ['@electric-sql/pglite', 'sharp', 'pg-native'],
  // Bundled CommonJS packages call `require`, which ES modules do not have.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)",
  },
  logLevel: 'warning',
}

/**
 * Bundles the server, the commands for restoring and recomputing, the thread of the database, and the process that
 * reads files of users.
 */
async function buildServer(folder, version) {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    ...programOptions,
    define: { PRODUCT_VERSION: JSON.stringify(version) },
    entryPoints: {
      main: 'server/main.ts',
      restore: 'server/db/backup/restore.ts',
      recompute: 'server/laps/recompute.ts',
      databaseThread: 'server/db/engines/databaseThread.ts',
      readProcess: 'server/reading/readProcess.ts',
    },
    outdir: `${folder}/server`,
    sourcemap: true,
    // Node keeps source maps in memory.
    sourcesContent: false,
    metafile: true,
  })
  for (const file of Object.keys(metafile.outputs).filter(path => path.endsWith('.map'))) {
    const map = JSON.parse(readFileSync(join(root, file), 'utf8'))
    writeFileSync(join(root, file), JSON.stringify(ownMappings(map)))
  }
  writeServerNotices(join(root, folder, 'server'), metafile)
  cpSync(
    join(root, 'server/db/schema/migrations'),
    join(root, folder, 'server/schema/migrations'),
    {
      recursive: true,
    },
  )
}
