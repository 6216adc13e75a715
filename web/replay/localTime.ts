const format = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Formats hours, minutes and seconds, in the reader's time zone. */
export function localTime(at: number): string {
  return format.format(at)
}
