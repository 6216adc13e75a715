import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
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
      databaseThread: 'server/db/engines/databaseThread.ts',
      readProcess: 'server/reading/readProcess.ts',
    },
    outdir: folder,
    sourcemap: 'inline',
  })
  // Programs that are bundled later look for the migrations beside the bundle.
  const migrations = fileURLToPath(new URL('../server/db/schema/migrations', import.meta.url))
  await mkdir(join(folder, 'schema'))
  await symlink(migrations, join(folder, 'schema/migrations'), 'junction')
  process.env.BUNDLED_THREADS = `${pathToFileURL(folder).href}/`
}

export async function teardown() {
  if (folder) await rm(folder, { recursive: true, force: true })
}

const bundled = new Map<string, Promise<string>>()

/**
 * Returns Node's arguments that run a TypeScript program. In a test run it is bundled once: loading tsx and compiling
 * each file takes longer than most programs run.
 */
export async function programArguments(entry: string): Promise<string[]> {
  const { BUNDLED_THREADS } = process.env
  if (!BUNDLED_THREADS) return ['--import', 'tsx', entry]
  let file = bundled.get(entry)
  if (!file) bundled.set(entry, (file = bundle(entry, fileURLToPath(BUNDLED_THREADS))))
  return [await file]
}

/** Returns Node's options, and the URL from which a program on its command line can then import a TypeScript module. */
export async function importable(file: string): Promise<[options: string[], url: string]> {
  const options = await programArguments(file)
  return [options, pathToFileURL(options.pop()!).href]
}

async function bundle(entry: string, into: string): Promise<string> {
  // Another process may bundle a program of the same name.
  const outfile = join(into, `${basename(entry, '.ts')}-${process.pid}-${bundled.size}.js`)
  await build({ ...programOptions, entryPoints: [entry], outfile, sourcemap: 'inline' })
  return outfile
}
