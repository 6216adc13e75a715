/** Longer texts are not parsed: matching them would take too long. */
const longestNumber = 60

/** Texts that mark a missing value. */
const missing = new Set([
  '',
  '-',
  '--',
  '---',
  '?',
  '*',
  'nan',
  'null',
  'none',
  'n/a',
  'na',
  '#n/a',
  'inf',
  '-inf',
  'infinity',
  '-infinity',
  'undefined',
  'void',
  'invalid',
  'unknown',
  'no fix',
  'nofix',
  '(null)',
])

/** True for an empty cell and for words such as `NaN` and `n/a`: the receiver had no value. */
export function isMissing(cell: string | undefined): boolean {
  return cell === undefined || (cell.length < 12 && missing.has(cell.trim().toLowerCase()))
}

/**
 * Parses a number such as `15.862 km/h`: with a decimal point or comma, and optionally with thousands separators and a
 * unit. Returns null for a missing value, and NaN for any other text.
 */
export function numberIn(cell: string | undefined): number | null {
  const plain = plainNumber(cell)
  return plain === undefined ? (numberAndUnit(cell ?? '')?.value ?? Number.NaN) : plain
}

/** Returns undefined for a text that is not a plain number. */
function plainNumber(cell: string | undefined): number | null | undefined {
  if (cell === undefined || cell === '') return null
  const value = Number(cell)
  // Spaces alone are 0 to `Number`.
  if (value !== 0 && Number.isFinite(value)) return value
  if (isMissing(cell)) return null
  return Number.isFinite(value) ? value : undefined
}

/** Splits a number and the unit after it; returns null for a text that does not begin with a number. */
export function numberAndUnit(cell: string): { value: number; unit: string } | null {
  if (cell.length > longestNumber) return null
  const [, digits = '', exponent = '', unit = ''] =
    /^\s*([-+\u2212]?[\d.,'\u2019\s\u00a0\u202f]*\d)(e[-+]?\d{1,3})?\s*([^\d\s.,][^\d]*)?$/i.exec(
      cell,
    ) ?? []
  if (digits === '') return null
  const plain = withoutThousands(
    digits.replace('\u2212', '-').replace(/['\u2019\s\u00a0\u202f]/g, '\u0020'),
  )
  const value = plain === null ? Number.NaN : Number(plain + exponent)
  return Number.isFinite(value) ? { value, unit: unit.trim() } : null
}

/** Returns the number with a decimal point alone; null if its signs contradict each other. */
function withoutThousands(digits: string): string | null {
  const decimal = decimalSign(digits)
  const at = decimal === '' ? digits.length : digits.lastIndexOf(decimal)
  const whole = digits.slice(0, at)
  const isGrouped = /^[-+]?\d{1,3}(?:[., ]\d{3})+$/.test(whole)
  if (!isGrouped && !/^[-+]?\d*$/.test(whole)) return null
  const rest = digits.slice(at + 1)
  return /^\d*$/.test(rest) ? `${whole.replace(/[., ]/g, '')}.${rest || '0'}` : null
}

/** Returns the decimal sign of a number: the last one of points and commas, or the only one; empty if it has none. */
function decimalSign(digits: string): '.' | ',' | '' {
  const points = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (points > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ','
  if (points === 1) return '.'
  return commas === 1 ? ',' : ''
}

/**
 * Reads degrees: decimal ones, or degrees, minutes and seconds, with an optional letter of the hemisphere. Degrees and
 * minutes in one number (4717.89356) are returned as they are. Returns null for a missing value, and NaN for any
 * other text.
 */
export function degreesIn(cell: string | undefined): number | null {
  const value = numberOnly(cell)
  if (value !== undefined) return value
  const text = (cell ?? '').trim()
  if (text.length > longestNumber) return Number.NaN
  const letter = /^[NSEWO](?=[-+\s\d])|[NSEWO]$/i.exec(text)?.[0].toUpperCase() ?? ''
  const bare = letter === '' ? text : text.replace(/^[NSEWO]\s*|\s*[NSEWO]$/i, '')
  const parts = bare.split(/\s*[°ºd'’′"”″:\s]+\s*/i).filter(part => part !== '')
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = parts.map(part =>
    /^[-+]?\d+(?:[.,]\d+)?$/.test(part) ? Number(part.replace(',', '.')) : Number.NaN,
  )
  if (parts.length > 3 || !(minutes >= 0 && minutes < 60 && seconds >= 0 && seconds <= 60))
    return Number.NaN
  const size = Math.abs(degrees) + minutes / 60 + seconds / 3600
  return letter === 'S' || letter === 'W' || bare.startsWith('-') ? -size : size
}

/** Returns undefined for a text that is more than a number. */
function numberOnly(cell: string | undefined): number | null | undefined {
  const plain = plainNumber(cell)
  if (plain !== undefined) return plain
  const split = numberAndUnit(cell ?? '')
  return split && split.unit === '' ? split.value : undefined
}
