/** Formats of dates in the language of the browser. Times of a race are in 24 hours everywhere. */
export const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
export const dayAndTime = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
})
/** A time of day with seconds: 16:35:30. */
export const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' })
/** The same with tenths, for delays. */
export const clockTenths = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 1,
  hourCycle: 'h23',
})

const shortDayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
})

/** Formats a day as Sat 28 November. */
export function shortDay(at: number): string {
  return shortDayFormat.format(at).replace(',', '')
}
