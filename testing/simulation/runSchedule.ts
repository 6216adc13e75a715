import { applyEvent, makeSchedule, minEvents, repairAll } from './accidents.ts'
import type { DatabaseFile } from './database.ts'
import { checkHistory, firstUnsettled } from './invariants.ts'
import type { Mutation } from './mutations.ts'
import { World } from './world.ts'

/** Time limit for the system to settle after the last accident. */
const settleTimeoutMs = 60_000

/** Calls that hung may take effect late, so the settled state must last this long. */
const stablePeriodMs = 3000
const checkIntervalMs = 500

export interface ScheduleResult {
  readonly seed: number
  /** Empty if all invariants held. */
  readonly violations: readonly string[]
  /** Number of events by kind. */
  readonly counts: Readonly<Record<string, number>>
  readonly virtualMs: number
  /** CPU time of the process. */
  readonly cpuMs: number
  /** Number of virtual timer events. */
  readonly turns: number
}

interface RunOptions {
  seed: number
  file: DatabaseFile
  trace?: (line: string) => void
  mutation?: Mutation
}

/** Runs one schedule from an empty database to the final checks. */
export async function runSchedule({
  seed,
  file,
  trace,
  mutation,
}: RunOptions): Promise<ScheduleResult> {
  const cpuBefore = process.cpuUsage()
  await file.empty()
  const world = new World({ seed, file, trace: trace ?? null, mutation: mutation ?? null })
  const { record, time } = world
  const startMs = time.now
  try {
    await world.open()
    if (mutation === 'keep-former-member') await world.members[1]?.leave()
    const schedule = makeSchedule(world.random.fork('schedule'), world.bus !== null)
    if (schedule.length < minEvents) throw new Error('The schedule is too short.')
    const random = world.random.fork('events')
    for (const event of schedule) {
      await time.runUntil(startMs + event.atMs)
      applyEvent(world, event, random)
      if (record.violations.length > 0) break
    }
    if (record.violations.length === 0) await settle(world)
    if (mutation === 'lose-message') await world.loseMessage()
    if (record.violations.length === 0) await checkHistory(world)
  } catch (error) {
    record.violate(
      'the simulation failed',
      error instanceof Error ? String(error.stack) : String(error),
    )
  } finally {
    world.close()
  }
  return {
    seed,
    violations: record.violations,
    counts: record.counts,
    virtualMs: time.now - startMs,
    cpuMs: cpuMsSince(cpuBefore),
    turns: time.events,
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function settle(world: World) {
  const { time, record } = world
  world.trace('world', 'all accidents end')
  await repairAll(world)
  const repairedMs = time.now
  let why: string | null = 'nothing was checked'
  let settledMs = 0
  while (settledMs < stablePeriodMs && record.violations.length === 0) {
    if (time.now > repairedMs + settleTimeoutMs)
      return record.violate('the system did not settle', why ?? '')
    await time.runUntil(time.now + checkIntervalMs)
    world.resumeDriving()
    why = await firstUnsettled(world)
    settledMs = why ? 0 : settledMs + checkIntervalMs
  }
}
