import { readdirSync } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../scripts/build.mjs'
import { readCommandLine, refuseCommandLine } from '../scripts/commandLine.mjs'
import { type Figures, requireFigures } from './figures.ts'

/** Command line options, such as `npm run bench -- fanout --rounds 9`. */
export interface BenchOptions {
  /** Restricts benches that support both databases to one. */
  engine?: 'embedded' | 'postgres' | undefined
  /** Runs only rows of `abuse` whose name contains this, or one of several, separated by commas. */
  row?: string | undefined
  /** Rounds of `fanout` and `cars`, instead of the usual number. */
  rounds?: number | undefined
  /** Folder for CPU profiles of the server. */
  profile?: string | undefined
}

/** A file `<name>.bench.ts` exports one of these as `bench`. */
export interface Bench {
  /** The question that the bench answers. */
  question: string
  run(options: BenchOptions): Promise<Figures>
}

const folder = import.meta.dirname
const all = readdirSync(folder)
  .filter(name => name.endsWith('.bench.ts'))
  .map(name => name.slice(0, -'.bench.ts'.length))

const usage = `npm run bench -- [BENCH…] [options]

Without a name it runs all: ${all.join(', ')}.

  --engine ENGINE   embedded or postgres: only this database
  --row NAME,NAME   only rows of abuse whose name contains one of these
  --rounds NUMBER   rounds of fanout and cars
  --profile FOLDER  writes CPU profiles of the server to this folder`

const { words: requested, values } = readCommandLine({
  usage,
  numbers: ['rounds'],
  mostWords: Number.POSITIVE_INFINITY,
  options: {
    engine: { type: 'string' },
    row: { type: 'string' },
    rounds: { type: 'string' },
    profile: { type: 'string' },
  },
})
const engine = (['embedded', 'postgres'] as const).find(each => each === values.engine)
if (values.engine !== engine) refuseCommandLine('--engine is neither embedded nor postgres.', usage)
if (Number(values.rounds ?? 1) < 1) refuseCommandLine('--rounds is a number from 1 on.', usage)
const unknown = requested.filter(name => !all.includes(name))
if (unknown.length > 0) refuseCommandLine(`Unknown bench: ${unknown.join(', ')}.`, usage)
const options: BenchOptions = {
  engine,
  row: values.row,
  rounds: values.rounds === undefined ? undefined : Number(values.rounds),
  profile: values.profile,
}
if (!process.env.BENCH_BUILD) await ensureBuilt()
for (const name of requested.length > 0 ? requested : all) {
  await runBench(name).catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}

async function runBench(name: string) {
  const { bench }: { bench: Bench } = await import(join(folder, `${name}.bench.ts`))
  console.log(`\n${name}: ${bench.question}`)
  const startedAt = performance.now()
  const figures = requireFigures(await bench.run(options))
  console.table(figures)
  console.log(`It took ${Math.round((performance.now() - startedAt) / 1000)} s.`)
  const line = { bench: name, at: new Date().toISOString(), ...figures, machine: machine() }
  await mkdir(join(folder, 'results'), { recursive: true })
  await appendFile(join(folder, 'results', `${name}.jsonl`), `${JSON.stringify(line)}\n`)
}

function machine() {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.version,
  }
}
