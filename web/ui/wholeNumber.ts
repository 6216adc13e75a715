const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0, useGrouping: false })

/** Formats a whole number in the digits of the browser's locale. */
export function wholeNumber(value: number): string {
  return format.format(value)
}
