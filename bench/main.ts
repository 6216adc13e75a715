import { readdirSync } from 'node:fs'
import { appendFile, mkdir } from 'node:fs/promises'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../scripts/build.mjs'

/** What a bench measured: plain numbers, units in their names. */
export type Figures = Record<string, number | string>

/** A file `<name>.bench.ts` exports one of these as `bench`. */
export interface Bench {
  /** The question it answers. */
  question: string
  run(): Promise<Figures>
}

const folder = import.meta.dirname
const all = readdirSync(folder)
  .filter(name => name.endsWith('.bench.ts'))
  .map(name => name.slice(0, -'.bench.ts'.length))

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${all.join(', ')}`)
  process.exitCode = 1
} else {
  if (!process.env.BENCH_BUILD) await ensureBuilt()
  for (const name of asked.length > 0 ? asked : all) {
    await runBench(name).catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  }
}

async function runBench(name: string) {
  const { bench }: { bench: Bench } = await import(join(folder, `${name}.bench.ts`))
  console.log(`\n${name}: ${bench.question}`)
  const startedAt = performance.now()
  const figures = await bench.run()
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
