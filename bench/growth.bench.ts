import type { Figures } from './figures.ts'
import { type Contender, connect, startNaive, startPitboard, stopAll } from './load/contenders.ts'
import type { Measured } from './load/orders.ts'
import { memoryBytes } from './load/processes.ts'
import { racedIn } from './load/raced.ts'
import { inTurns, perCpuSecond } from './load/rounds.ts'
import { connectionsAround, type Seeded } from './load/seed.ts'
import type { Bench } from './main.ts'
import { percentile } from './statistics.ts'

const connectionsPerCar = 100
const sizes = [100, 1000, 10_000] as const
const [smallest, middle, largest] = sizes
/** Time for a garbage collection in all threads of a server. */
const collectMs = 2000
/** A smaller change of a server's memory is noise: 0.1 KB for each of the idle connections. */
const stableBytes = 1_000_000
const mostCollections = 10
/** Driving of each car before the measurement at our server: at least one whole lap. */
const historyS = 300

export const bench: Bench = {
  question:
    'CPU time of a delivery with 100, 1,000 and 10,000 connections, and memory of an idle one',
  async run() {
    const { contender, seeded } = await startPitboard({
      cars: largest / connectionsPerCar,
      watching: connectionsPerCar - 1,
    })
    const all = [contender]
    try {
      const us: Record<number, number> = {}
      const record = (connections: number, measured: Measured[]) => {
        us[connections] = microseconds(measured)
      }
      await connectUpTo(contender, seeded, { from: 0, to: smallest })
      record(smallest, await measure(contender))
      await connectUpTo(contender, seeded, { from: smallest, to: middle })
      record(middle, await measure(contender))
      const ours = await idleBytes(contender, seeded)
      const last = await measure(contender)
      record(largest, last)
      const raced = racedIn(contender, last.at(-1))
      // Its heartbeats would disturb the measurement of the naive server.
      await stopAll(all.splice(0))
      const naive = await startNaive()
      all.push(naive)
      await connectUpTo(naive, seeded, { from: 0, to: middle })
      // The same warm-up as our server had, because a used heap keeps its size.
      await measure(naive)
      const bare = await idleBytes(naive, seeded)
      return {
        ...Object.fromEntries(sizes.map(lines => [`at ${lines} lines Us`, us[lines] ?? 0])),
        ratio: rounded((us[largest] ?? 0) / (us[middle] ?? 0)),
        idleLineKB: rounded(ours / 1000),
        idleLineNaiveKB: rounded(bare / 1000),
        idleLineRatio: rounded(ours / bare),
        ...raced,
      } satisfies Figures
    } finally {
      await stopAll(all)
    }
  },
}

/** Measures with two fixes per second and car. Our server first receives the missing fixes. */
async function measure(contender: Contender): Promise<Measured[]> {
  if (contender.seeded) await contender.generator.catchUp(historyS)
  const plan = { pace: { hz: 2 }, rounds: 5, seconds: 1 }
  return (await inTurns([contender], plan)).get(contender) ?? []
}

/** CPU time of one delivery in microseconds. */
function microseconds(measured: Measured[]): number {
  return percentile(
    measured.map(each => 1e6 / perCpuSecond(each)),
    50,
  )
}

/**
 * Memory per connection in bytes, from the middle size to the largest, which excludes what a server loads
 * and compiles for its first connections.
 */
async function idleBytes(contender: Contender, seeded: Seeded): Promise<number> {
  const before = await stableMemoryBytes(contender)
  await connectUpTo(contender, seeded, { from: middle, to: largest })
  return ((await stableMemoryBytes(contender)) - before) / (largest - middle)
}

function connectUpTo(
  contender: Contender,
  seeded: Seeded,
  { from, to }: { from: number; to: number },
) {
  const first = from / connectionsPerCar
  const count = to / connectionsPerCar - first
  return connect(contender, connectionsAround(seeded, { first, count }))
}

/** Collects garbage until it changes nothing, which frees memory that only connecting or the previous rounds needed. */
async function stableMemoryBytes({ pids }: Contender): Promise<number> {
  let bytes = 0
  for (let n = 0; n < mostCollections; n++) {
    for (const pid of pids) process.kill(pid, 'SIGUSR2')
    await new Promise(resolve => setTimeout(resolve, collectMs))
    const before = bytes
    bytes = memoryBytes(pids)
    if (Math.abs(bytes - before) < stableBytes) return bytes
  }
  throw new Error(`The memory of the server is not stable after ${mostCollections} collections`)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
