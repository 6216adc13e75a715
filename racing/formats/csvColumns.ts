import { leastOf } from '#contract/shared/extremes.ts'
import { columnName, columnNames, type Role, rankOf } from './columns.ts'
import { unitFactor } from './units.ts'

export interface CsvColumn {
  readonly index: number
  /** As the file writes it. */
  readonly name: string
  /** Multiplies a value to convert it to ms, m/s, m or degrees; null if the file names no unit. */
  readonly factor: number | null
}

/** The columns of a fix. */
export type CsvColumns = Readonly<Record<Role, CsvColumn | null>> & {
  readonly time: CsvColumn
  readonly latitude: CsvColumn
  readonly longitude: CsvColumn
}

const roles = Object.keys(columnNames) as Role[]

/**
 * Finds the columns of a fix. `below` are the rows after the header, which may contain units and sources. Returns the
 * missing ones without a time, latitude or longitude.
 */
export function columnsIn(
  header: readonly string[],
  below: readonly string[][],
): CsvColumns | { missing: Role[] } {
  const names = header.map(columnName)
  const beside = (index: number) => below.map(row => row[index] ?? '').join(' ')
  const column = (role: Role): CsvColumn | null => {
    const ranks = names.map(name => rankOf(role, name))
    const known = ranks.filter(rank => rank !== -1)
    const best = leastOf(known)
    const all = ranks.flatMap((rank, index) => (rank === best ? index : []))
    // Several columns with one name: that of the receiver, not one that was calculated or comes from the car.
    const received = all.find(index => /gps|gnss/i.test(beside(index)))
    const measured = all.find(index => !/calc|obd|can\b/i.test(`${header[index]} ${beside(index)}`))
    const index = received ?? measured ?? all[0]
    if (index === undefined) return null
    const name = header[index] ?? ''
    const factor = unitFactor(columnNames[role].quantity, `${spaced(name)} ${beside(index)}`)
    return { index, name: name.split('|', 1).join().replaceAll('"', '').trim(), factor }
  }
  const found = Object.fromEntries(roles.map(role => [role, column(role)])) as Readonly<
    Record<Role, CsvColumn | null>
  >
  const { latitude, longitude, date } = found
  // A column named date may have the time, too.
  const time = found.time ?? date
  if (time && latitude && longitude)
    return { ...found, time, latitude, longitude, date: time === date ? null : date }
  return { missing: (['time', 'latitude', 'longitude'] as const).filter(role => !found[role]) }
}

/** Separates the words of `latitudeE7` and `"Speed"|"MPH"|0|150`. */
function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[|"]/g, ' ')
}

/** True for a row with the names of a position. */
export function isHeader(cells: readonly string[]): boolean {
  const names = cells.map(columnName)
  return (['latitude', 'longitude'] as const).every(role =>
    names.some(name => rankOf(role, name) !== -1),
  )
}
