import type { Race } from '#contract/races.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { planText } from '#web/text/plan.ts'
import { durationText } from './fieldTimes.ts'

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

/** Says when a race starts and ends, started, or ended. A list has short days. */
export function raceSpan(
  { startsAt, startedAt, endedAt, length }: Race,
  dayText: (at: number) => string = at => dayFormat.format(at),
): string {
  if (startedAt !== null)
    return endedAt === null
      ? planText.started(hoursAndMinutes(startedAt))
      : planText.ended(dayText(startedAt), hoursAndMinutes(startedAt), hoursAndMinutes(endedAt))
  if (startsAt === null)
    return length?.in === 'time' ? planText.lasts(durationText(length.ms)) : planText.noStart
  const day = dayText(startsAt)
  const from = hoursAndMinutes(startsAt)
  return length?.in === 'time'
    ? planText.span(day, from, hoursAndMinutes(startsAt + length.ms))
    : planText.starts(day, from)
}
