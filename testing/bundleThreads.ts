import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { programOptions } from '../scripts/build.mjs'
import { testCache } from './fingerprint.ts'

let folder: string | undefined

/**
 * Global setup of Vitest: bundles the server's thread and process once for a run. One that starts from its sources
 * loads tsx first, which takes longer than opening a database.
 */
export async function setup({ config }: { config: { watch: boolean } }) {
  // In watch mode the sources may change. The setup runs for each project, but one bundle is enough.
  if (config.watch || process.env.BUNDLED_THREADS) return
  await mkdir(testCache, { recursive: true })
  folder = await mkdtemp(fileURLToPath(new URL('threads-', testCache)))
  await build({
    ...programOptions,
    entryPoints: {
      databaseThread: 'server/db/embedded/thread/databaseThread.ts',
      readProcess: 'server/sessions/recordings/import/reading/readProcess.ts',
    },
    outdir: folder,
    sourcemap: 'inline',
  })
  process.env.BUNDLED_THREADS = `${pathToFileURL(folder).href}/`
}

export async function teardown() {
  if (folder) await rm(folder, { recursive: true, force: true })
}
