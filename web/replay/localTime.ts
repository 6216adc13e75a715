import { clock } from '#web/ui/dates.ts'

/** Formats hours, minutes and seconds, in the reader's time zone. */
export function localTime(at: number): string {
  return clock.format(at)
}
