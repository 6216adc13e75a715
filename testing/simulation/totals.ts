import { actions } from './accidents.ts'
import type { ScheduleResult } from './runSchedule.ts'

/** What a run must have seen at least once, or it proved nothing. */
const required = [
  'words painted',
  'messages acknowledged',
  'taps',
  'fixes stored on the phone',
  'positions stored',
  'strange requests',
  'looks at the header',
] as const

/** The sum over many schedules. */
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

  /** All events of the schedules. */
  get events(): number {
    return Object.entries(this.counts)
      .filter(([what]) => what.startsWith('event '))
      .reduce((sum, [, count]) => sum + count, 0)
  }

  /** Events that nobody causes on purpose. */
  get accidents(): number {
    return this.events - actions.reduce((sum, kind) => sum + (this.counts[`event ${kind}`] ?? 0), 0)
  }

  /** What never happened, although every run of some length has it. */
  get unchecked(): string[] {
    return required.filter(what => !this.counts[what])
  }
}
