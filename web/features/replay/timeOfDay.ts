const format = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Hours, minutes and seconds, in the reader's time zone. */
export function timeOfDay(at: number): string {
  return format.format(at)
}
