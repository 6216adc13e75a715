import { readCommandLine } from '../../scripts/commandLine.mjs'
import { fuzzFormats } from './fuzzFormats.ts'
import { fuzzTiming } from './fuzzTiming.ts'
import type { FuzzRecord } from './record.ts'
import { fuzz } from './run.ts'

const usage = `npm run fuzz -- [options]

Uses PostgreSQL if TEST_DATABASE_URL is set, like the tests.

  --cases 100000 --minutes 3  the server
  --formats 20000             recordings in files, without a server
  --timing 100000             feeds of official timing, without a server
  --seed 1                    the same inputs again
  --keep-going                does not end at the first fault`

const { values } = readCommandLine({
  usage,
  numbers: ['formats', 'timing', 'cases', 'seed', 'minutes'],
  options: {
    formats: { type: 'string' },
    timing: { type: 'string' },
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    'keep-going': { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const startedAt = performance.now()
if (values.formats !== undefined) fuzzFiles('formats', Number(values.formats))
else if (values.timing !== undefined) fuzzFiles('timing', Number(values.timing))
else await fuzzServer()

async function fuzzServer() {
  const { record, batches, failedSeed } = await fuzz({
    seed,
    cases: Number(values.cases),
    forMs: Number(values.minutes) * 60_000,
    keepGoing: values['keep-going'],
    onBatch: (at, { tried }) => process.stdout.write(`seed ${at}: ${tried} tried\r`),
  })
  report(record)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const engine = process.env.TEST_DATABASE_URL ? 'PostgreSQL' : 'the embedded database'
  console.log(`${batches} batches from seed ${seed} on ${engine} in ${seconds} s`)
  if (failedSeed !== null) {
    console.error(`Repeat with: npm run fuzz -- --seed ${failedSeed} --cases 1`)
    process.exitCode = 1
  } else if (record.tried === 0 || record.refused === 0) {
    console.error('No input was sent, or none was refused')
    process.exitCode = 1
  }
}

function fuzzFiles(what: 'formats' | 'timing', cases: number) {
  const onCase = (tried: number) => process.stdout.write(`${tried} tried\r`)
  const record = { formats: fuzzFormats, timing: fuzzTiming }[what]({ seed, cases, onCase })
  report(record)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`${record.tried} files from seed ${seed} in ${seconds} s`)
  if (record.violations.length > 0) {
    console.error(`Repeat one with: npm run fuzz -- --${what} 1 --seed SEED`)
    process.exitCode = 1
  }
}

function report({ counts, violations, uncaught, stateChecks }: FuzzRecord) {
  for (const [kind, inputs] of kindsOf(violations)) {
    console.error(`\n${inputs.length} × ${kind}\n  ${inputs[0]}`)
  }
  console.table(Object.fromEntries(counts))
  console.log({ uncaught, stateChecks, violations: violations.length })
}

/** Groups violations by interface and the first hundred characters of their description. */
function kindsOf(violations: FuzzRecord['violations']) {
  const kinds = new Map<string, string[]>()
  for (const { entryPoint, what, input } of violations) {
    const kind = `${entryPoint}: ${what.slice(0, 100)}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), input])
  }
  return kinds
}
