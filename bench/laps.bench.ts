import { zolder } from '#contract/shared/circuits/zolder.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { CircuitFinder } from '#racing/circuits/circuitFinder.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import type { RacingFix } from '#racing/fix.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { driveRace } from '#testing/races.ts'
import type { Figures } from './figures.ts'
import type { Bench } from './main.ts'

/** Laps of the drive that is repeated for a day. */
const laps = 30

export const bench: Bench = {
  question: 'What does the lap engine cost for each fix, in a day, and while it learns a circuit?',
  async run(): Promise<Figures> {
    const { fixes, crossingsMs } = drive()
    const day = dayOf(fixes, crossingsMs)
    const learning = learned(fixes)
    return {
      'fix us': day.fixUs,
      'day laps': day.laps,
      'day growthMB': day.growthMB,
      'learning longestStepMs': learning.longestStepMs,
      'learning p99StepMs': learning.p99StepMs,
      'learning laps': learning.laps,
    }
  },
}

const given = { id: 'zolder', outline: zolder.outline, line: zolder.startFinish }

function drive() {
  const pace = Array.from({ length: laps }, (_, lap) => ({ pace: 0.93 + 0.05 * Math.sin(lap) }))
  return driveRace({ outline: zolder.outline, laps: pace, whiteM: 1, driftM: 1, accuracyM: 5 })
}

/** Repeats the drive for a day. Returns the CPU time of each fix, and how much the heap grew after the first hour. */
function dayOf(fixes: readonly RacingFix[], crossingsMs: readonly number[]) {
  const driveMs = (fixes.at(-1)?.atMs ?? 0) + 1000
  const timer = new DriveTimer(new FixedCircuit(given))
  let afterHourMB = Number.NaN
  let added = 0
  const before = process.cpuUsage()
  for (let startMs = 0; startMs < dayMs; startMs += driveMs) {
    for (const fix of fixes) timer.add({ ...fix, atMs: fix.atMs + startMs })
    added += fixes.length
    if (startMs <= dayMs / 24) afterHourMB = heapMB()
  }
  const { user, system } = process.cpuUsage(before)
  requireLaps(timer, (crossingsMs.length * dayMs) / driveMs / 2)
  const fixUs = (user + system) / added
  return { fixUs, laps: timer.laps.length, growthMB: heapMB() - afterHourMB }
}

function heapMB(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

/** The same drive where no circuit is known. */
function learned(fixes: readonly RacingFix[]) {
  const timer = new DriveTimer(new CircuitFinder())
  const elsewhere = fixes.map(fix => ({ ...fix, latitude: fix.latitude - 1 }))
  const stepsMs: number[] = []
  for (let index = 0; index < elsewhere.length; ) {
    const startedAt = performance.now()
    index = timer.add(elsewhere[index] as RacingFix) ? index + 1 : 0
    stepsMs.push(performance.now() - startedAt)
  }
  requireLaps(timer, laps - 3)
  stepsMs.sort((a, b) => a - b)
  return {
    longestStepMs: stepsMs.at(-1) ?? Number.NaN,
    p99StepMs: stepsMs[Math.floor(stepsMs.length * 0.99)] ?? Number.NaN,
    laps: timer.laps.length,
  }
}

function requireLaps(timer: DriveTimer, least: number) {
  const full = timer.laps.filter(({ kind }) => kind === 'full').length
  if (full < least) throw new Error(`Expected ${Math.ceil(least)} laps, found ${full}`)
}
