/** Formats the day of a time of this device's time zone, as a field for a date has it: 2026-11-28. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Reads a day and a time of day such as 14:00, 1400 or 920, in hours of 24; null if both are empty, or which one is missing or not valid. */
export function startFrom(day: string, time: string): number | null | 'no-day' | 'no-time' {
  if (day === '' && time.trim() === '') return null
  const [, hours, minutes] = /^\s*(\d{1,2})[:.]?(\d{2})\s*$/.exec(time) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return 'no-time'
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return 'no-day'
  return new Date(year, month - 1, date, Number(hours), Number(minutes)).getTime()
}
