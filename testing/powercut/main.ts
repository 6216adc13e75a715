import { readCommandLine } from '../../scripts/commandLine.mjs'
import { cutPower } from './powercut.ts'

const { values } = readCommandLine({
  usage: 'npm run powercut -- [--images 100] [--seed 1] [--commits 120]',
  numbers: ['images', 'commits', 'seed'],
  options: {
    images: { type: 'string', default: '100' },
    commits: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [images, commits, seed] = [values.images, values.commits, values.seed].map(Number)
print(`Cutting the power ${images} times, with seed ${seed}…`)
const startedAt = performance.now()
const summary = await cutPower({ images: images ?? 0, commits: commits ?? 0, seed: seed ?? 0 })
const { checked, empty, failures, operations } = summary
for (const failure of failures) print(`FAILED ${failure}`)
print(
  `${checked - failures.length} of ${checked} images opened with all acknowledged data (${empty} of them from before the first acknowledgement); ${operations} operations recorded, ${Math.round((performance.now() - startedAt) / 1000)} s.`,
)
if (failures.length > 0) print(`Repeat with: npm run powercut -- --images ${images} --seed ${seed}`)
if (failures.length > 0 || checked === 0) process.exitCode = 1

function print(text: string) {
  process.stdout.write(`${text}\n`)
}
