import { mpsPerKmh, mpsPerKnot, mpsPerMph } from './speedUnits.ts'

/** Only this many letters of a column's name are read. */
const longestName = 100

/** A column of a CSV file. */
export interface CsvColumn {
  readonly index: number
  /** Multiplies a value to convert it to the unit of a fix. */
  readonly factor: number
}

/** The columns of a fix. */
export interface CsvColumns {
  readonly time: CsvColumn
  /** Seconds since the epoch, in addition to another time. */
  readonly utc: CsvColumn | null
  /** A day as text, if the time is one of a day. */
  readonly date: CsvColumn | null
  readonly latitude: CsvColumn
  readonly longitude: CsvColumn
  /** N or S, and E or W. */
  readonly north: CsvColumn | null
  readonly east: CsvColumn | null
  readonly speed: CsvColumn | null
  readonly heading: CsvColumn | null
  readonly accuracy: CsvColumn | null
  /** 1 if the time is when the position arrived. */
  readonly arrival: CsvColumn | null
}

/** Names in order of preference, as files have them: in lower case, without units, and with spaces for underscores. */
const names = {
  time: [
    'time s',
    't s',
    'utc s',
    'timestamp',
    'timestamp ms',
    'time ms',
    'time',
    'utc time',
    'datetime',
    'date time',
    'utc',
    'elapsed time',
  ],
  utc: ['utc s', 'utc time'],
  date: ['date', 'utc date'],
  latitude: ['latitude deg', 'latitude', 'lat', 'lat deg'],
  longitude: ['longitude deg', 'longitude', 'lon', 'long', 'lng', 'lon deg'],
  north: ['n/s'],
  east: ['e/w'],
  speed: [
    'speed mps',
    'speed kmh',
    'speed kph',
    'speed mph',
    'speed',
    'kph',
    'kmh',
    'mph',
    'velocity',
    'velocity kmh',
  ],
  heading: ['heading deg', 'heading', 'bearing', 'course', 'bearing deg'],
  accuracy: ['accuracy m', 'accuracy', 'h acc m', 'posaccuracy', 'horizontal accuracy'],
  arrival: ['at arrival'],
}

type Role = keyof typeof names

/** Units are written after the names, or in the row below them. */
const units: readonly [RegExp, number][] = [
  [/mph|mi\/h/, mpsPerMph],
  [/k(?:m\/?|p)h/, mpsPerKmh],
  [/kn(?:ots?)?$|kts/, mpsPerKnot],
]

/**
 * Finds the columns of a fix. `below` are the rows after the header, which may contain units and sources; `speedPer` is
 * the unit of a speed without one. Returns null without a time, latitude or longitude.
 */
export function columnsIn(
  header: readonly string[],
  below: readonly string[][],
  speedPer: number,
): CsvColumns | null {
  const simple = header.map(simpleName)
  const find = (role: Role): number => {
    for (const name of names[role]) {
      const all = simple.flatMap((each, index) => (each === name ? index : []))
      const best = all.find(index => below.some(row => /gps/i.test(row[index] ?? '')))
      const measured = all.find(
        index => !/calc|obd/i.test(`${header[index]} ${below.map(row => row[index]).join(' ')}`),
      )
      if (all.length > 0) return best ?? measured ?? all[0] ?? -1
    }
    return -1
  }
  const unitOf = (index: number) =>
    [header[index] ?? '', ...below.map(row => row[index] ?? '')]
      .join(' ')
      .toLowerCase()
      .replaceAll('_', ' ')
  const column = (role: Role, factor: (index: number) => number = () => 1): CsvColumn | null => {
    const index = find(role)
    return index === -1 ? null : { index, factor: factor(index) }
  }
  const time = column('time', index => (/\bms\b/.test(unitOf(index)) ? 1 : 1000))
  const latitude = column('latitude')
  const longitude = column('longitude')
  if (!time || !latitude || !longitude) return null
  return {
    time,
    utc: column('utc', () => 1000),
    date: column('date'),
    latitude,
    longitude,
    north: column('north'),
    east: column('east'),
    speed: column('speed', index => {
      const unit = unitOf(index)
      if (/m\/s|\bmps\b/.test(unit)) return 1
      return units.find(([sign]) => sign.test(unit))?.[1] ?? speedPer
    }),
    heading: column('heading'),
    accuracy: column('accuracy', index => (/\bmm\b/.test(unitOf(index)) ? 0.001 : 1)),
    arrival: column('arrival'),
  }
}

/** True for a row with the names of a position. */
export function isHeader(cells: readonly string[]): boolean {
  const simple = cells.map(simpleName)
  return [names.latitude, names.longitude].every(any => any.some(name => simple.includes(name)))
}

/** Returns the name of a column without its unit, source and device: “Speed (m/s) *calc”, “GPS_Latitude”. */
function simpleName(cell: string): string {
  return cell
    .slice(0, longestName)
    .toLowerCase()
    .replace(/\(.*\)|\[.*\]|\*.*$/g, '')
    .replaceAll('_', ' ')
    .trim()
    .replace(/^gps /, '')
}
