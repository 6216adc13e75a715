import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readCommandLine, refuseCommandLine } from '../../scripts/commandLine.mjs'
import { DatabaseFile } from './database.ts'
import { type Mutation, mutations } from './mutations.ts'
import { runSchedule, type ScheduleResult } from './runSchedule.ts'
import { Totals } from './totals.ts'

const usage = `npm run simulate -- [options]

  --schedules 1000 [--first 1]   many schedules on all cores; 100
  --seed 17 [--mutation NAME]    one schedule with its trace
  --race 24 [--seed 1]           a race of 24 hours, whose clocks are compared on all
                                 screens
  --race 24 --swaps [--first 1]  races of 24 hours of a car whose phones change, with
                                 1,000 swaps
  --swaps --seed 17              one day of a car whose phones change, as text
  --race 24 --swaps --seed 17    the same for a race of 24 hours`

const { values } = readCommandLine({
  usage,
  numbers: ['schedules', 'first', 'seed', 'workers', 'race', 'stride'],
  options: {
    schedules: { type: 'string', default: '100' },
    first: { type: 'string' },
    seed: { type: 'string' },
    mutation: { type: 'string' },
    workers: { type: 'string' },
    race: { type: 'string' },
    swaps: { type: 'boolean', default: false },
    /** For workers: the distance between their seeds. */
    stride: { type: 'string' },
  },
})

/** Vacuum the tables after this many schedules: dead rows slow down the queries. */
const vacuumEvery = 25

/** Phones change at least this often in a run of `--swaps`. */
const leastSwaps = 1000
/** Stops of a simulated car: per hour, of the day in the tests, and of the one with the server. */
const stopsPerHour = 6.5
const dayStops = 10
const serverStops = 10

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

async function replay(seed: number) {
  const mutation = mutations.find(each => each === values.mutation)
  if (values.mutation !== mutation)
    refuseCommandLine(`--mutation is not one of ${mutations.join(', ')}.`, usage)
  const file = await DatabaseFile.create()
  const { violations, counts } = await runSchedule({
    seed,
    file,
    trace: print,
    ...(mutation && { mutation: mutation satisfies Mutation }),
  })
  print(JSON.stringify(counts, null, 2))
  for (const violation of violations) print(`VIOLATED: ${violation}`)
  print(violations.length === 0 ? 'All invariants held.' : `Seed ${seed} failed.`)
  process.exit(violations.length === 0 ? 0 : 1)
}

async function race(hours: number, seed: number) {
  const { runRace } = await import('./race/runRace.ts')
  const startedAt = performance.now()
  print(`A race of ${hours} h, seed ${seed}`)
  const { violations, counts, cpuMs } = await runRace({
    seed,
    file: await DatabaseFile.create(),
    hours,
    lapsPerStint: 30,
    checkEveryMs: 20_000,
    accidentEveryMs: 240_000,
    onHour: hour => print(`${hour} h`),
  })
  print(JSON.stringify(counts, null, 2))
  for (const violation of violations) print(`VIOLATED: ${violation}`)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  print(
    `${violations.length} violations in ${seconds} s (${Math.round(cpuMs / 1000)} s of CPU time)`,
  )
  process.exit(violations.length === 0 ? 0 : 1)
}

/** Runs races of a car whose phones change until they changed often enough, and one with the server. */
async function swaps(hours: number, first: number) {
  const { runSwaps } = await import('./swaps/runSwaps.ts')
  const { runServerSwaps } = await import('./swaps/runServerSwaps.ts')
  const { swapCounts } = await import('./swaps/swapDay.ts')
  const startedAt = performance.now()
  const counts: Record<string, number> = {}
  const swapped = () => swapCounts.reduce((sum, what) => sum + (counts[what] ?? 0), 0)
  let failed = 0
  const add = (title: string, result: Pick<ScheduleResult, 'violations' | 'counts'>) => {
    for (const [what, count] of Object.entries(result.counts))
      counts[what] = (counts[what] ?? 0) + count
    for (const violation of result.violations) print(`${title}: ${violation}`)
    failed += result.violations.length
    print(`${title}: ${swapped()} swaps`)
  }
  for (let seed = first; swapped() < leastSwaps; seed++)
    add(`Seed ${seed}`, runSwaps(seed, hours * stopsPerHour))
  const file = await DatabaseFile.create()
  const server = { seed: first, file, stops: serverStops, killEveryMs: 180_000 }
  add(`Server, seed ${first}`, await runServerSwaps(server))
  print(JSON.stringify(counts, null, 2))
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  print(`${failed} violations in ${swapped()} swaps, in ${seconds} s`)
  process.exit(failed === 0 ? 0 : 1)
}

async function replaySwaps(seed: number, stops: number) {
  const { runSwaps } = await import('./swaps/runSwaps.ts')
  const { dayText } = await import('./swaps/dayText.ts')
  const { day, stored, violations } = runSwaps(seed, stops)
  for (const line of dayText(day, stored)) print(line)
  for (const violation of violations) print(`VIOLATED: ${violation}`)
  process.exit(violations.length === 0 ? 0 : 1)
}

async function work(first: number, count: number, stride: number) {
  const file = await DatabaseFile.create()
  for (let index = 0; index < count; index++) {
    if (index % vacuumEvery === vacuumEvery - 1) await file.vacuum()
    const result = await runSchedule({ seed: first + index * stride, file })
    await new Promise<void>(resolve => process.send?.(result, () => resolve()) ?? resolve())
  }
  process.exit(0)
}

async function runAll(first: number, schedules: number) {
  const workers = Math.min(schedules, Number(values.workers ?? availableParallelism()))
  const totals = new Totals()
  const startedAt = performance.now()
  print(`Seeds ${first} to ${first + schedules - 1} in ${workers} processes`)
  await Promise.all(
    Array.from({ length: workers }, (_, index) => {
      const count = Math.ceil((schedules - index) / workers)
      return runWorker(first + index, count, workers, result => {
        totals.add(result)
        for (const violation of result.violations) print(`Seed ${result.seed}: ${violation}`)
        if (totals.schedules % 50 === 0) print(`${totals.schedules} schedules`)
      })
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  print(JSON.stringify(totals.counts, null, 2))
  print(
    `${totals.schedules} schedules, ${totals.events} events (${totals.accidents} of them accidents), ${Math.round(totals.virtualMs / 3_600_000)} h of virtual time in ${Math.round(seconds)} s (${(totals.schedules / seconds).toFixed(1)}/s, ${Math.round(totals.cpuMs / totals.schedules)} ms of processor time each); ${totals.failed.length} failed`,
  )
  for (const { seed } of totals.failed) print(`Replay: npm run simulate -- --seed ${seed}`)
  if (totals.unchecked.length > 0) print(`Never happened: ${totals.unchecked.join(', ')}`)
  const isWhole = totals.schedules === schedules && totals.unchecked.length === 0
  process.exitCode = isWhole && totals.failed.length === 0 ? 0 : 1
}

/** Runs seeds in a child process. Resolves when it has exited; missing results fail the run. */
function runWorker(
  first: number,
  count: number,
  stride: number,
  onResult: (result: ScheduleResult) => void,
): Promise<void> {
  const args = ['--first', `${first}`, '--schedules', `${count}`, '--stride', `${stride}`]
  const child = fork(fileURLToPath(import.meta.url), args)
  let next = first
  child.on('message', message => {
    next += stride
    onResult(message as ScheduleResult)
  })
  return new Promise(resolve =>
    child.once('exit', code => {
      if (code !== 0) print(`The process ended with code ${code} in seed ${next}.`)
      resolve()
    }),
  )
}

// Node's exit code when only unsettled promises are left, which prints nothing.
const unsettledCode = 13
process.once('exit', code => {
  if (code === unsettledCode) print('The schedule awaits a promise that never settles.')
})

const first = Number(values.first ?? Math.floor(Math.random() * 1e9))
if (values.swaps && (values.race === undefined || values.seed !== undefined)) {
  const stops = values.race === undefined ? dayStops : Number(values.race) * stopsPerHour
  await replaySwaps(Number(values.seed ?? first), stops)
} else if (values.swaps) await swaps(Number(values.race), first)
else if (values.race !== undefined) await race(Number(values.race), Number(values.seed ?? first))
else if (values.seed !== undefined) await replay(Number(values.seed))
else if (values.stride) await work(first, Number(values.schedules), Number(values.stride))
else await runAll(first, Number(values.schedules))
