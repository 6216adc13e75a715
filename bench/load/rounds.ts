import type { Figures } from '../figures.ts'
import { percentile } from '../statistics.ts'
import type { Contender } from './contenders.ts'
import type { Pace } from './fleet/crowd.ts'
import type { Measured } from './orders.ts'

export interface Rounds {
  pace: Pace
  rounds: number
  seconds: number
  warmUpS?: number
}

/** Measures the contenders in turns, so that other activity of the machine affects all alike. */
export async function inTurns(
  contenders: Contender[],
  { pace, rounds, seconds, warmUpS = 0.7 }: Rounds,
): Promise<Map<Contender, Measured[]>> {
  const results = new Map<Contender, Measured[]>(contenders.map(each => [each, []]))
  for (let round = 0; round < rounds; round++) {
    await oneAtATime(contenders, async contender => {
      const { generator, pids } = contender
      const measured = await generator.drive({ pace, warmUpS, seconds, pids })
      results.get(contender)?.push(measured)
    })
  }
  return results
}

/**
 * Runs one contender at a time. The others are paused, because their heartbeats would take its CPU time. They stay
 * paused until their next turn: a server that ran for a moment in between would miss the heartbeats of its connections.
 */
export async function oneAtATime(
  contenders: Contender[],
  work: (contender: Contender) => Promise<void>,
) {
  if (contenders.length > 1) for (const { pause } of contenders) pause()
  for (const contender of contenders) {
    contender.resume()
    await work(contender)
    if (contenders.length > 1) contender.pause()
  }
}

/** Deliveries per CPU second of the server. */
export function perCpuSecond({ deliveries, serverCpuS }: Measured): number {
  return deliveries / serverCpuS
}

/** Figures of one contender over its rounds, with names prefixed by `name`. */
export function figuresOf(name: string, rounds: Measured[]): Figures {
  const median = (of: (measured: Measured) => number) => percentile(rounds.map(of), 50)
  const userS = rounds.reduce((sum, { serverUserS }) => sum + serverUserS, 0)
  const systemS = rounds.reduce((sum, { serverSystemS }) => sum + serverSystemS, 0)
  return {
    [`${name}PerCpuS`]: Math.round(median(perCpuSecond)),
    [`${name}PerS`]: Math.round(median(each => each.deliveries / each.seconds)),
    [`${name}P50Ms`]: median(each => each.p50Ms),
    [`${name}P99Ms`]: median(each => each.p99Ms),
    [`${name}CpuPercent`]: Math.round(median(each => (each.serverCpuS / each.seconds) * 100)),
    [`${name}UserPercent`]: Math.round((userS / (userS + systemS)) * 100),
    [`${name}GeneratorPercent`]: Math.round(
      median(each => (each.generatorCpuS / each.seconds) * 100),
    ),
  }
}

/** Median ratio of deliveries per CPU second, ours to theirs, over the rounds. */
export function ratio(ours: Measured[], theirs: Measured[]): number {
  const ratios = ours.map((each, round) => {
    const other = theirs[round]
    return other ? perCpuSecond(each) / perCpuSecond(other) : Number.NaN
  })
  return (
    Math.round(
      percentile(
        ratios.map(each => each * 100),
        50,
      ),
    ) / 100
  )
}
