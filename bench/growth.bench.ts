import { type Contender, connect, startNaive, startPitboard, stopAll } from './load/contenders.ts'
import { rssBytes } from './load/processes.ts'
import { inTurns, perCpuSecond } from './load/rounds.ts'
import { linesAround } from './load/seed.ts'
import type { Bench, Figures } from './main.ts'
import { percentile } from './statistics.ts'

const linesPerCar = 100
const sizes = [100, 1000, 10_000]
/** Opened before, so that what a server loads and compiles at its first lines is not counted. */
const firstLines = 1000
const idleLines = 10_000
const settleMs = 10_000

export const bench: Bench = {
  question: 'what a delivery costs with 100, 1,000 and 10,000 lines, and an idle line in memory',
  async run() {
    return { ...(await costs()), ...(await memory()) }
  },
}

async function costs(): Promise<Figures> {
  const cars = Math.max(...sizes) / linesPerCar
  const watching = linesPerCar - 1
  const { contender, seeded } = await startPitboard({ cars, watching })
  try {
    const figures: Record<string, number> = {}
    let before = 0
    for (const lines of sizes) {
      const now = lines / linesPerCar
      await connect(contender, linesAround(seeded, { first: before, count: now - before }))
      const plan = { pace: { hz: 2 }, rounds: 5, seconds: 2 }
      const measured = (await inTurns([contender], plan)).get(contender) ?? []
      const microseconds = measured.map(each => 1e6 / perCpuSecond(each))
      figures[`at${lines}LinesUs`] = percentile(microseconds, 50)
      before = now
    }
    const [, middle, large] = sizes.map(lines => figures[`at${lines}LinesUs`] ?? Number.NaN)
    return { ...figures, ratio: rounded((large ?? Number.NaN) / (middle ?? Number.NaN)) }
  } finally {
    await stopAll([contender])
  }
}

async function memory(): Promise<Figures> {
  const cars = (firstLines + idleLines) / linesPerCar
  const watching = linesPerCar
  const { contender, seeded } = await startPitboard({ cars, watching })
  const all = [contender]
  try {
    all.push(await startNaive())
    const lines = linesAround(seeded, { count: cars, drivers: 0 })
    const [ours, naive] = [await bytesPerLine(all[0], lines), await bytesPerLine(all[1], lines)]
    return {
      idleLineKB: rounded(ours / 1000),
      idleLineNaiveKB: rounded(naive / 1000),
      idleLineRatio: rounded(ours / naive),
    }
  } finally {
    await stopAll(all)
  }
}

async function bytesPerLine(
  contender: Contender | undefined,
  lines: Parameters<typeof connect>[1],
): Promise<number> {
  if (!contender) return Number.NaN
  await connect(contender, lines.slice(0, firstLines))
  await settled()
  const before = rssBytes(contender.pids)
  await connect(contender, lines.slice(firstLines))
  await settled()
  return (rssBytes(contender.pids) - before) / idleLines
}

function settled() {
  return new Promise(resolve => setTimeout(resolve, settleMs))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
