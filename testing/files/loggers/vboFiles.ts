import type { RacingFix } from '#racing/fix.ts'
import {
  dayOf,
  digits,
  kmhPerMps,
  knotsPerMps,
  type LoggerFile,
  mphPerMps,
  timeOfDay,
  withCommas,
} from './loggerFile.ts'

/** The variants of VBO files that loggers, apps and converters write. */
interface Variant {
  created?: (startMs: number) => string
  /** Sections before the column names. */
  before?: string
  /** Sections after the data. */
  after?: string
  columns?: string
  velocity?: { header: string; perMps: number }
  row?: (cells: readonly string[]) => string
  place?: (degrees: number, isWest: boolean) => string
  time?: (atMs: number) => string
  /** Rows that are written before the receiver has a position. */
  cold?: readonly string[]
  end?: '\n' | '\r\n' | '\r'
}

const sections = (velocity: string) =>
  `\n[header]\nsatellites\ntime\nlatitude\nlongitude\n${velocity}\nheading\nheight\n\n[comments]\nLog Rate (Hz) : 10.00\n\n`

function minutes(degrees: number, isWest: boolean): string {
  const value = degrees * 60 * (isWest ? -1 : 1)
  return `${value < 0 ? '-' : '+'}${digits(Math.abs(value), 6).padStart(12, '0')}`
}

function file(variant: Variant): (fixes: readonly RacingFix[], startMs: number) => string {
  const {
    created = startMs =>
      `File created on ${dayOf(startMs, '/')} at ${timeOfDay(startMs, ':').slice(0, 8)}\n`,
    velocity = { header: 'velocity kmh', perMps: kmhPerMps },
    before = sections(velocity.header),
    after = '',
    columns = 'sats time lat long velocity heading height',
    row = cells => cells.join(' '),
    place = minutes,
    time = atMs => timeOfDay(atMs).slice(0, 9),
    cold = [],
    end = '\r\n',
  } = variant
  return (fixes, startMs) => {
    const rows = fixes.map(({ atMs, latitude, longitude, speedMps }) =>
      row([
        '010',
        time(startMs + atMs),
        place(latitude, false),
        place(longitude, true),
        digits((speedMps ?? 0) * velocity.perMps, 3).padStart(7, '0'),
        '000.00',
        '+00012.50',
      ]),
    )
    const head = `${created(startMs)}${before}[column names]\n${columns}\n\n[data]`
    return [head, ...cold, ...rows, after].join('\n').replaceAll('\n', end)
  }
}

const named = 'sats time lat long velocity heading height GPS-Longacc battery vo batt.soc'

export const vboFiles: readonly LoggerFile[] = [
  { name: 'VBO of a VBOX Sport', write: file({}) },
  {
    name: 'VBO with spaces in names, free text and lap timing after the data',
    write: file({
      before: `\n[header]\nsatellites\ntime\n\n[channel units]\ndegC\nv\n\n[comments]\nElevation mask = 7\uFFFD\n(c) 2001 - 2003 Racelogic\n\n[laptiming]\nStart   -00315.10 +03030.00 -00315.12 +03030.00 ¬ Start / Finish\n\n`,
      columns: named,
      row: cells => `${cells.join(' ')} +00.01 +3.90400E+00 +7.70000E+01`,
      after: '\n[circuit details]\ncountry Belgium\n',
    }),
  },
  {
    name: 'VBO with an @ in the first line',
    write: file({
      created: startMs =>
        `File created on ${dayOf(startMs, '/')} @ ${timeOfDay(startMs, ':').slice(0, 5)}\n`,
    }),
  },
  {
    name: 'VBO that begins with comments',
    hasDate: false,
    write: file({ created: () => '', before: '[comments]\nconverted\n\n[header]\nsatellites\n\n' }),
  },
  {
    name: 'VBO with a first line of its own',
    hasDate: false,
    write: file({ created: () => 'Converted by a program\n' }),
  },
  { name: 'VBO without a date', hasDate: false, write: file({ created: () => '' }) },
  {
    name: 'VBO with tabs',
    write: file({ row: cells => cells.join('\t'), columns: named.replaceAll(' ', '\t') }),
  },
  {
    name: 'VBO with commas between cells',
    write: file({
      row: cells => cells.join(','),
      columns: 'sats,time,lat,long,velocity,heading,height',
    }),
  },
  { name: 'VBO with decimal commas', write: file({ row: cells => withCommas(cells.join(' ')) }) },
  { name: 'VBO with Mac line ends', write: file({ end: '\r' }) },
  {
    name: 'VBO with velocity in mph',
    write: file({ velocity: { header: 'velocity mph', perMps: mphPerMps } }),
  },
  {
    name: 'VBO with velocity in knots',
    write: file({ velocity: { header: 'velocity knots', perMps: knotsPerMps } }),
  },
  {
    name: 'VBO with velocity in m/s',
    write: file({ velocity: { header: 'velocity m/s', perMps: 1 } }),
  },
  {
    name: 'VBO with undeclared mph',
    write: file({ velocity: { header: 'velocity', perMps: mphPerMps } }),
  },
  { name: 'VBO in degrees', write: file({ place: degrees => digits(degrees, 7) }) },
  { name: 'VBO with a time in colons', write: file({ time: atMs => timeOfDay(atMs, ':') }) },
  {
    name: 'VBO with names of the header',
    write: file({ columns: 'satellites time latitude longitude velocity_kmh heading height' }),
  },
  {
    name: 'VBO with zeros before the first fix',
    write: file({
      cold: Array.from(
        { length: 20 },
        () => '000 000000.00 +00000.000000 +00000.000000 000.000 000.00 +00000.00',
      ),
    }),
  },
  {
    name: 'VBO with dashes before the first fix',
    write: file({ cold: Array.from({ length: 20 }, () => '000 - - - - - -') }),
  },
]

/** Two sessions in one file, each with its own header. */
export function twoVboSessions(
  first: readonly RacingFix[],
  second: readonly RacingFix[],
  startMs: number,
): string {
  const write = file({})
  return `${write(first, startMs)}\r\n${write(second, startMs)}`
}
