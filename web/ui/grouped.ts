const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })

/** Formats a whole number with separators, such as 4,002. */
export function grouped(value: number): string {
  return format.format(value)
}
