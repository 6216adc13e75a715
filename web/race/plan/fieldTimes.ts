import { minuteMs } from '#contract/shared/durations.ts'
import { planText } from '#web/text/plan.ts'

/** Formats milliseconds for a field of hours and minutes, such as 6:00. */
export function hoursText(ms: number): string {
  return pair(Math.round(ms / minuteMs))
}

/**
 * Formats a duration: 3:30, 34 min, 88 min, 2 h or 1 h 45 min. Below ten minutes the seconds count. Minutes and seconds
 * have no unit, as on every clock.
 */
export function durationText(ms: number): string {
  const wholeMs = wholeSeconds(ms) * 1000
  if (wholeMs < 10 * minuteMs && wholeMs % minuteMs !== 0) return minutesText(wholeMs)
  const minutes = Math.round(ms / minuteMs)
  const rest = minutes % 60
  if (minutes < 100 && rest !== 0) return planText.minutes(String(minutes))
  const hours = planText.hours(String(Math.floor(minutes / 60)))
  return rest === 0 ? hours : `${hours} ${planText.minutes(String(rest))}`
}

/** Formats the time of a stop in whole seconds, such as 3:00. */
export function stopText(ms: number): string {
  return pair(wholeSeconds(ms))
}

/** Formats milliseconds for a field of minutes and seconds, such as 3:00. */
export function minutesText(ms: number): string {
  return pair(Math.round(ms / 1000))
}

/** Formats milliseconds as whole minutes, such as 70, or as minutes and seconds. */
export function minutesOrWhole(ms: number): string {
  return ms % minuteMs === 0 ? String(ms / minuteMs) : minutesText(ms)
}

/** Formats the litres of a stop. */
export function litresText(litres: number): string {
  return litres === 0 ? planText.noFuel : planText.litres(String(litres))
}

/** Reads `6:00`, or whole units of the first part; undefined if the text is neither. */
function pairFrom(text: string): number | undefined {
  const [, whole, part] = /^\s*(\d{1,4})(?::([0-5]\d))?\s*$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 60 + Number(part ?? 0)
}

export function hoursFrom(text: string): number | undefined {
  const minutes = pairFrom(text)
  return minutes === undefined ? undefined : minutes * minuteMs
}

export function minutesFrom(text: string): number | undefined {
  const seconds = pairFrom(text)
  return seconds === undefined ? undefined : seconds * 1000
}

/**
 * Returns the whole seconds that have passed, as on every clock. Calculated times may be a part of a millisecond short.
 */
function wholeSeconds(ms: number): number {
  return Math.floor(Math.round(ms) / 1000)
}

function pair(units: number): string {
  return `${Math.floor(units / 60)}:${String(units % 60).padStart(2, '0')}`
}
