import { messageText } from '#web/text/message.ts'
import { wholeNumber } from './wholeNumber.ts'

const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Formats an age: whole seconds, from 120 s on whole minutes, from 100 min on hours. */
export function ageText(ageMs: number): string {
  const seconds = Math.floor(Math.max(0, ageMs) / 1000)
  if (seconds < 120) return messageText.seconds(wholeNumber(seconds))
  const minutes = Math.floor(seconds / 60)
  return minutes < 100
    ? messageText.minutes(wholeNumber(minutes))
    : messageText.hours(wholeNumber(Math.floor(minutes / 60)))
}

/** Formats an elapsed time, rounded down to seconds: 0:38. Negative is 0:00. */
export function counterText(ageMs: number): string {
  return minutesAndSeconds(Math.floor(Math.max(0, ageMs) / 1000))
}

/** Formats a duration: tenths of a second below 10 s, then as an age. */
export function tookText(tookMs: number): string {
  const seconds = Math.max(0, tookMs) / 1000
  if (seconds >= 120) return ageText(tookMs)
  // 9.96 would round to "10.0".
  return messageText.seconds(seconds < 9.95 ? tenths.format(seconds) : wholeNumber(seconds))
}

/** Minutes and seconds, with hours from one hour on. */
export function minutesAndSeconds(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  const rest = two(seconds % 60)
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`
}
