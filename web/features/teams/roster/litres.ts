/** Reads litres as people enter them: 2.5 or 2,5. Null if it is not a number. */
export function litresOf(text: string): number | null {
  if (!/^\s*\d{1,4}([.,]\d{1,3})?\s*$/.test(text)) return null
  return Number.parseFloat(text.replace(',', '.'))
}

export function litresText(litres: number | null): string {
  return litres === null ? '' : String(litres)
}
