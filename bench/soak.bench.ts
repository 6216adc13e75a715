import { connect, startPitboard, stopAll } from './load/contenders.ts'
import type { Measured } from './load/orders.ts'
import { memoryBytes } from './load/processes.ts'
import { racedIn } from './load/raced.ts'
import { connectionsAround } from './load/seed.ts'
import type { Bench } from './main.ts'
import { SoakCars } from './soak/soakCars.ts'
import { percentile } from './statistics.ts'

const cars = 200
const watchersPerCar = 4
const defaultMinutes = 2
/** Share of the run after which heaps have their final size. */
const warmUpPart = 0.25
const sampleEveryS = 15
const messageEveryMs = 500
const maxGrowthPercent = 10

export const bench: Bench = {
  question: 'lost messages, lost connections and memory growth with 200 cars and 800 watchers',
  async run({ minutes = defaultMinutes }) {
    // One watcher of each car has its own connection here, the others are in the generator.
    const { contender, seeded } = await startPitboard({ cars, watching: watchersPerCar - 1 })
    const { pids, ports, generator } = contender
    const soakCars = new SoakCars(`http://127.0.0.1:${ports[0]}`)
    try {
      await connect(contender, connectionsAround(seeded, { count: cars }))
      await soakCars.open(
        seeded.cars.map(({ token, session }, n) => ({
          session,
          driver: token,
          member: seeded.watcherOf(n),
        })),
      )
      const samples: number[] = []
      let measured: Measured | undefined
      const rounds = Math.max(4, Math.round((minutes * 60) / sampleEveryS))
      const messages = soakCars.sendFor(rounds * sampleEveryS * 1000, messageEveryMs)
      for (let round = 0; round < rounds; round++) {
        measured = await generator.drive({
          pace: { hz: 1 },
          warmUpS: 0,
          seconds: sampleEveryS,
          pids,
        })
        samples.push(memoryBytes(pids))
        requireWhole(soakCars)
      }
      await messages
      requireWhole(soakCars)
      return {
        minutes,
        messages: soakCars.sent,
        p99Ms: percentile(soakCars.tookMs, 99),
        ...growth(samples),
        ...racedIn(contender, measured),
      }
    } finally {
      soakCars.close()
      await stopAll([contender])
    }
  },
}

function requireWhole({ lost, closed }: SoakCars) {
  if (lost > 0) throw new Error(`${lost} messages or receipts were lost`)
  if (closed > 0) throw new Error(`The server closed ${closed} connections`)
}

/**
 * Memory growth after the warm-up. Compares medians of several samples, because garbage collection makes
 * them vary.
 */
function growth(samples: number[]) {
  const warm = samples.slice(Math.floor(samples.length * warmUpPart))
  const part = Math.max(1, Math.floor(warm.length / 3))
  const before = percentile(warm.slice(0, part), 50)
  const after = percentile(warm.slice(-part), 50)
  const growthPercent = Math.round((after / before - 1) * 1000) / 10
  if (growthPercent >= maxGrowthPercent)
    throw new Error(`Memory grew by ${growthPercent} % after the warm-up`)
  return {
    memoryAfterWarmUpMB: Math.round(before / 1e6),
    memoryAtEndMB: Math.round(after / 1e6),
    growthPercent,
  }
}
