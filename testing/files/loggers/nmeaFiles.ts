import type { RacingFix } from '#racing/fix.ts'
import {
  dayOf,
  digits,
  kmhPerMps,
  knotsPerMps,
  type LoggerFile,
  padded,
  timeOfDay,
} from './loggerFile.ts'

function degreesMinutes(degrees: number, length: number): string {
  const whole = Math.floor(Math.abs(degrees))
  const minutes = digits((Math.abs(degrees) - whole) * 60, 6).padStart(9, '0')
  return `${padded(whole, length)}${minutes}`
}

function place({ latitude, longitude }: RacingFix): string {
  return `${degreesMinutes(latitude, 2)},${latitude < 0 ? 'S' : 'N'},${degreesMinutes(longitude, 3)},${longitude < 0 ? 'W' : 'E'}`
}

/** Adds the checksum to a sentence. */
export function sentence(body: string): string {
  let sum = 0
  for (const letter of body) sum ^= letter.charCodeAt(0)
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`
}

const time = (atMs: number) => timeOfDay(atMs).slice(0, 9)

function rmc(fix: RacingFix, startMs: number, talker = 'GP'): string {
  const atMs = startMs + fix.atMs
  return sentence(
    `${talker}RMC,${time(atMs)},A,${place(fix)},${digits((fix.speedMps ?? 0) * knotsPerMps, 3)},,${dayOf(atMs)},,,A`,
  )
}

function gga(fix: RacingFix, startMs: number, talker = 'GP'): string {
  return sentence(`${talker}GGA,${time(startMs + fix.atMs)},${place(fix)},1,11,0.8,20.0,M,46.0,M,,`)
}

function vtg({ speedMps }: RacingFix, talker = 'GP'): string {
  const mps = speedMps ?? 0
  return sentence(
    `${talker}VTG,,T,,M,${digits(mps * knotsPerMps, 3)},N,${digits(mps * kmhPerMps, 3)},K,A`,
  )
}

type Lines = (fix: RacingFix, startMs: number, index: number) => readonly string[]

function file(lines: Lines, { head = '', end = '\r\n' } = {}): LoggerFile['write'] {
  return (fixes, startMs) =>
    head + fixes.flatMap((fix, index) => lines(fix, startMs, index)).join(end) + end
}

const satellites = [
  '$GPGSA,A,3,29,25,12,,,,,,,,,,1.5,0.8,1.0*3A',
  '$GPGSV,1,1,02,29,63,203,24,02,62,148,20*7B',
]

export const nmeaFiles: readonly LoggerFile[] = [
  { name: 'NMEA with RMC alone', write: file((fix, startMs) => [rmc(fix, startMs)]) },
  {
    name: 'NMEA of several systems, with GGA, VTG, GSA and GSV',
    write: file((fix, startMs) => [
      gga(fix, startMs, 'GN'),
      vtg(fix, 'GN'),
      ...satellites,
      rmc(fix, startMs, 'GN'),
    ]),
  },
  { name: 'NMEA of Galileo', write: file((fix, startMs) => [rmc(fix, startMs, 'GA')]) },
  {
    name: 'NMEA without checksums',
    write: file((fix, startMs) => [rmc(fix, startMs).replace(/\*..$/, '')]),
  },
  {
    name: 'NMEA with checksums that are all wrong',
    write: file((fix, startMs) => [rmc(fix, startMs).replace(/\*..$/, '*00')]),
  },
  {
    name: 'NMEA with some damaged sentences',
    write: file((fix, startMs, index) => [
      index % 20 === 7
        ? rmc(fix, startMs).replace(
            /(\d),([NS])/,
            (_, digit, side) => `${(Number(digit) + 1) % 10},${side}`,
          )
        : rmc(fix, startMs),
      ...(index % 20 === 7 ? [rmc(fix, startMs), '$GPRMC,1234'] : []),
    ]),
  },
  {
    name: 'NMEA with the time of a computer before each sentence',
    write: file((fix, startMs) => [
      `${new Date(startMs + fix.atMs + 80).toISOString()} ${rmc(fix, startMs)}`,
    ]),
  },
  {
    name: 'NMEA after text of the receiver and void fixes',
    write: file((fix, startMs) => [rmc(fix, startMs)], {
      head: `boot\r\n\r\nu-blox ag - www.u-blox.com\r\n$PMTK011,MTKGPS*08\r\n${sentence('GPRMC,,V,,,,,,,,,,N')}\r\n${sentence('GPRMC,000003.00,V,,,,,,,060180,,,N')}\r\n`,
    }),
  },
  {
    name: 'NMEA after a fix with the date of a cold start',
    write: file((fix, startMs) => [rmc(fix, startMs)], {
      head: Array.from(
        { length: 12 },
        (_, index) =>
          `${rmc({ atMs: index * 1000, latitude: 50.9, longitude: 5.2, speedMps: 0, headingDeg: null, accuracyM: null }, Date.UTC(1980, 0, 6))}\r\n`,
      ).join(''),
    }),
  },
  {
    name: 'NMEA with binary frames in between',
    write: file((fix, startMs) => [
      `\u00b5b\u0001\u0007\u0000\u0000${rmc(fix, startMs)}`,
      '\u0000\u0002\u0013',
    ]),
  },
  {
    name: 'NMEA with Mac line ends',
    write: file((fix, startMs) => [rmc(fix, startMs)], { end: '\r' }),
  },
  {
    name: 'NMEA with GGA and VTG, without RMC',
    hasDate: false,
    write: file((fix, startMs) => [gga(fix, startMs), vtg(fix)]),
  },
  {
    name: 'NMEA with GGA alone',
    hasDate: false,
    hasSpeed: false,
    write: file((fix, startMs) => [gga(fix, startMs)]),
  },
  {
    name: 'NMEA with GGA, VTG and ZDA',
    write: file((fix, startMs) => [
      sentence(`GPZDA,${time(startMs + fix.atMs)},${dayOf(startMs + fix.atMs, ',')},00,00`),
      gga(fix, startMs),
      vtg(fix),
    ]),
  },
]
