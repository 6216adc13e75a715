import { replayedFeed, type Standing } from '#racing/timing/timingFeed.ts'
import { seeded } from '../drives.ts'
import { mutated, pick } from './mutations.ts'
import { FuzzRecord } from './record.ts'

const cars = ['7', '17', '44', 'NE4']

/** A feed with each kind of line. */
const feed = [
  '##2026-06-20 14:00:00.100',
  '$I, "00:00:00", "0/0/0000"',
  ...cars.map(car => `$A,"${car}","${car}",10${car.length},"A","B","",1`),
  '$COMP,"17","17",2,"A, B","","",""',
  '$C,1,"GT3"',
  '$E,"TRACKLENGTH","4.011"',
  '$B,5,"Race 1"',
  '$F,9999,"01:00:00","14:00:00","00:00:-47","      "',
  '$F,9999,"00:59:00","14:01:00","00:01:00","Green "',
  ...cars.flatMap((car, index) => [
    `$J,"${car}","00:01:5${index}.400","00:01:5${index}.400"`,
    `$G,${index + 1},"${car}",1,"00:01:5${index}.400"`,
    `$H,${index + 1},"${car}",1,"00:01:5${index}.400"`,
  ]),
  '$L,"21","T1","SFT","01/27/2009","10:03:11.603"',
  '$F,0,"00:00:00","15:00:00","01:00:00","Finish"',
  '$B,95,"Race 1"',
].join('\r\n')

/** Milliseconds of the processor for one feed. */
const longestMs = 2000

interface Options {
  readonly seed: number
  readonly cases: number
  readonly onCase?: (tried: number) => void
}

/**
 * Reads mutated feeds. Expected is a state of finite values, in bounded time. Case N of a seed is the first one of
 * seed + N.
 */
export function fuzzTiming({ seed, cases, onCase }: Options): FuzzRecord {
  const record = new FuzzRecord()
  const counts = record.of('RMonitor')
  for (let index = 0; index < cases; index++) {
    const random = seeded(seed + index)
    for (let skipped = 0; skipped < 5; skipped++) random()
    const text = mutated(feed.repeat(1 + Math.floor(random() * 3)), random)
    const started = process.cpuUsage()
    counts.tried += 1
    try {
      const state = replayedFeed(text, pick(cars, random))
      const sessions = state.sessions()
      if (state.skippedLines > 0) counts.refused += 1
      else counts.accepted += 1
      for (const { standings } of sessions) standings.forEach(requireFinite)
    } catch (error) {
      record.violate('RMonitor', error instanceof Error ? `${error.stack}` : String(error), text)
    }
    const tookMs = process.cpuUsage(started).user / 1000
    if (index % 1000 === 0) onCase?.(index)
    if (tookMs > longestMs)
      record.violate('RMonitor', `took ${Math.round(tookMs)} ms`, `seed ${seed + index}`)
  }
  return record
}

function requireFinite({ position, laps, totalMs, bestMs }: Standing) {
  for (const value of [position, laps ?? 0, totalMs ?? 0, bestMs ?? 0])
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number.`)
}
