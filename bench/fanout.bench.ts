import { type Contender, connect, startPitboard, startRivals, stopAll } from './load/contenders.ts'
import { openFilesLimit, rssBytes } from './load/processes.ts'
import { figuresOf, inTurns, type Rounds, ratio } from './load/rounds.ts'
import { linesAround } from './load/seed.ts'
import type { Bench, Figures } from './main.ts'

const rounds = 5
const watchers = 1000
/** So many lines may drive one car here, as one line may send 50 fixes a second only. */
const drivers = 45
/** Fixes of the one car that are on their way at once, when it drives as fast as they go. */
const window = 64
const watchersPerCar = 4
const comparedCars = 1000
const soloCars = [2500, 5000]
/** What a server has open besides its lines. */
const sparedFiles = 200

export const bench: Bench = {
  question: 'how many deliveries the server makes of a second of CPU, beside other servers',
  async run() {
    return { ...(await oneCar()), ...(await manyCars()) }
  },
}

async function oneCar(): Promise<Figures> {
  const { contender: ours, seeded } = await startPitboard({ cars: 1, watchingLines: watchers })
  const all = [ours]
  try {
    all.push(...(await startRivals()))
    const lines = linesAround(seeded, { count: 1, drivers, watching: watchers, sampled: 10 })
    const figures: Figures = {}
    for (const contender of all) {
      const before = rssBytes(contender.pids)
      await connect(contender, lines)
      const grown = rssBytes(contender.pids) - before
      figures[`${contender.name}KBPerLine`] = Math.round(grown / lines.length / 100) / 10
    }
    return {
      ...figures,
      ...(await compare('steady', all, { pace: { hz: 10 }, rounds, seconds: 2 })),
      ...(await compare('flood', all, { pace: { window }, rounds, seconds: 1.5 })),
    }
  } finally {
    await stopAll(all)
  }
}

async function manyCars(): Promise<Figures> {
  const most = Math.floor((openFilesLimit() - sparedFiles) / (1 + watchersPerCar))
  const solo = soloCars.map(cars => Math.min(cars, most))
  const cars = Math.max(...solo)
  if (cars === most)
    console.log(`At most ${most} cars: a process may open ${openFilesLimit()} files.`)
  const { contender: ours, seeded } = await startPitboard({
    cars,
    watchingLines: cars * watchersPerCar,
  })
  const all = [ours]
  const lines = (first: number, end: number) =>
    linesAround(seeded, { first, count: end - first, watching: watchersPerCar })
  const second = { pace: { hz: 1 }, rounds: 1, seconds: 3, warmUpS: 2 } as const
  try {
    all.push(...(await startRivals()))
    const figures: Figures = {}
    let before = 0
    for (const now of [comparedCars / 2, comparedCars]) {
      for (const contender of all) await connect(contender, lines(before, now))
      Object.assign(figures, await compare(`cars${now}`, all, second))
      before = now
    }
    const flood = { pace: { window: 1 }, rounds, seconds: 1.5 }
    Object.assign(figures, await compare(`cars${comparedCars}Flood`, all, flood))
    await stopAll(all.splice(1))
    for (const now of solo) {
      await connect(ours, lines(before, now))
      Object.assign(figures, await compare(`cars${now}`, all, second))
      before = now
    }
    return figures
  } finally {
    await stopAll(all)
  }
}

/** The figures of all, and how many times more ours, the first of them, makes of a second of CPU. */
async function compare(what: string, all: Contender[], plan: Rounds): Promise<Figures> {
  const results = await inTurns(all, plan)
  const [ours, ...others] = [...results]
  return Object.fromEntries([
    ...[...results].flatMap(([{ name }, measured]) =>
      Object.entries(figuresOf(`${what} ${name} `, measured)),
    ),
    ...others.map(([{ name }, theirs]) => [
      `${what} ratio to ${name}`,
      ratio(ours?.[1] ?? [], theirs),
    ]),
  ])
}
