import { actions } from './accidents.ts'
import type { ScheduleResult } from './runSchedule.ts'

/** Counts that must not be zero, or the run proved nothing. */
const required = [
  'messages painted',
  'messages acknowledged',
  'taps',
  'answers',
  'answers stored',
  'fixes stored on the phone',
  'positions stored',
  'unauthorised requests',
  'header checks',
] as const

/** Sums up the results of many schedules. */
export class Totals {
  readonly counts: Record<string, number> = {}
  readonly failed: ScheduleResult[] = []
  schedules = 0
  virtualMs = 0
  cpuMs = 0

  add(result: ScheduleResult) {
    this.schedules += 1
    this.virtualMs += result.virtualMs
    this.cpuMs += result.cpuMs
    for (const [what, count] of Object.entries(result.counts))
      this.counts[what] = (this.counts[what] ?? 0) + count
    if (result.violations.length > 0) this.failed.push(result)
  }

  /** Number of all events. */
  get events(): number {
    return Object.entries(this.counts)
      .filter(([what]) => what.startsWith('event '))
      .reduce((sum, [, count]) => sum + count, 0)
  }

  /** Number of events that are not deliberate actions. */
  get accidents(): number {
    return this.events - actions.reduce((sum, kind) => sum + (this.counts[`event ${kind}`] ?? 0), 0)
  }

  /** Required counts that are zero. */
  get unchecked(): string[] {
    return required.filter(what => !this.counts[what])
  }
}
