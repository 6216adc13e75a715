import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { testCache } from './fingerprint.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

let folder: string | undefined

/**
 * Global setup of Vitest: bundles the server's worker threads once for a run. From their sources each thread would
 * load tsx first, which takes longer than opening a database.
 */
export async function setup({ config }: { config: { watch: boolean } }) {
  // While watching, sources may change. The setup is run for each project.
  if (config.watch || process.env.BUNDLED_THREADS) return
  await mkdir(testCache, { recursive: true })
  folder = await mkdtemp(fileURLToPath(new URL('threads-', testCache)))
  await build({
    absWorkingDir: root,
    entryPoints: {
      databaseThread: 'server/db/embedded/thread/databaseThread.ts',
      readThread: 'server/sessions/recordings/import/readThread.ts',
    },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  process.env.BUNDLED_THREADS = `${pathToFileURL(folder).href}/`
}

export async function teardown() {
  if (folder) await rm(folder, { recursive: true, force: true })
}
