import type { RacingFix } from '#racing/fix.ts'
import { digits, kmhPerMps, type LoggerFile, mphPerMps, withCommas } from './loggerFile.ts'

const preamble = (version: string, format: string) =>
  `This file is created using RaceChrono ${version} ( http://racechrono.com/ ).\n${format}Session title,"Test, one"\nSession type,Lap timing\nTrack name,"Test"\nDriver name,\nCreated,20/06/2026,14:00\nNote,\n\n`

type Row = (fix: RacingFix, startMs: number, index: number) => string | readonly string[]

function file(head: string, row: Row, end = '\r\n'): LoggerFile['write'] {
  return (fixes, startMs) =>
    `${head}${fixes.flatMap((fix, index) => row(fix, startMs, index)).join('\n')}\n`.replaceAll(
      '\n',
      end,
    )
}

const seconds = (atMs: number) => digits(atMs / 1000, 3)

const threeRows =
  'timestamp,fragment_id,lap_number,elapsed_time,distance_traveled,accuracy,altitude,bearing,latitude,longitude,satellites,speed,combined_acc,speed,x_acc,rpm\n' +
  'unix time,,,s,m,m,m,deg,deg,deg,sats,m/s,G,m/s,G,rpm\n' +
  ',,,,,100: gps,100: gps,100: gps,100: gps,100: gps,100: gps,100: gps,calc,calc,101: acc,200: obd\n'

const older =
  'Time (s),Session fragment #,Lap #,Trap name,X-position (m),Y-position (m),Distance (m),Speed (UNIT),Altitude (m),Bearing (deg),Lateral acceleration (G),Elapsed time (s),Latitude (deg),Longitude (deg),Satellites (sats),Fix type,Accuracy (m),Speed (UNIT) *calc,RPM (rpm) *obd\n'

function olderRow(perMps: number): Row {
  return ({ atMs, latitude, longitude, speedMps }, startMs) =>
    `${seconds(startMs + atMs)},0,1,,0,0,12.5,${digits((speedMps ?? 0) * perMps, 3)},20,,0.1,${seconds(atMs)},${digits(latitude, 7)},${digits(longitude, 7)},11,3,,${digits((speedMps ?? 0) * perMps, 2)},5000`
}

const gps: Row = ({ atMs, latitude, longitude, speedMps }, startMs) =>
  `${seconds(startMs + atMs)},0,1,${seconds(atMs)},12.5,,20,,${digits(latitude, 7)},${digits(longitude, 7)},11,${digits(speedMps ?? 0, 3)},,,0.1,`

export const raceChronoFiles: readonly LoggerFile[] = [
  {
    name: 'RaceChrono 3 with several devices',
    write: file(preamble('Pro v9.1.3', 'Format,3\n') + threeRows, (fix, startMs, index) => [
      gps(fix, startMs, index) as string,
      `${seconds(startMs + fix.atMs + 7)},0,1,${seconds(fix.atMs + 7)},12.6,,,,,,,,1.2,9.0,0.2,4000`,
      `${seconds(startMs + fix.atMs + 11)},0,,${seconds(fix.atMs + 11)},12.6,,,,,,,,,,,4100`,
    ]),
  },
  {
    name: 'RaceChrono 3 that repeats positions',
    write: file(preamble('v6.0.1', 'Format,3\n') + threeRows, (fix, startMs, index) => [
      gps(fix, startMs, index) as string,
      ...[40, 90].map(byMs => gps({ ...fix, atMs: fix.atMs + byMs }, startMs, index) as string),
    ]),
  },
  {
    name: 'RaceChrono 3 with the speed of the calculation first',
    write: file(
      `${preamble('v9', 'Format,3\n')}timestamp,latitude,longitude,speed,speed\nunix time,deg,deg,m/s,m/s\n,100: gps,100: gps,calc,100: gps\n`,
      ({ atMs, latitude, longitude, speedMps }, startMs) =>
        `${seconds(startMs + atMs)},${digits(latitude, 7)},${digits(longitude, 7)},,${digits(speedMps ?? 0, 3)}`,
    ),
  },
  {
    name: 'RaceChrono 2 in m/s',
    write: file(preamble('v5.2', 'Format,2\n') + older.replaceAll('UNIT', 'm/s'), olderRow(1)),
  },
  {
    name: 'RaceChrono 1 in km/h',
    write: file(preamble('v4.1.5', '') + older.replaceAll('UNIT', 'kph'), olderRow(kmhPerMps)),
  },
  {
    name: 'RaceChrono 1 in mph',
    write: file(preamble('v4.1.5', '') + older.replaceAll('UNIT', 'mph'), olderRow(mphPerMps)),
  },
  {
    name: 'RaceChrono with semicolons and decimal commas',
    write: file(
      (preamble('v5.2', 'Format;2\n') + older.replaceAll('UNIT', 'm/s')).replaceAll(',', ';'),
      (fix, startMs, index) =>
        withCommas((olderRow(1)(fix, startMs, index) as string).replaceAll(',', ';')),
    ),
  },
]
