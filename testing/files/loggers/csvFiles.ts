import type { RacingFix } from '#racing/fix.ts'
import {
  dayOf,
  digits,
  kmhPerMps,
  type LoggerFile,
  mphPerMps,
  timeOfDay,
  withCommas,
} from './loggerFile.ts'

type Row = (fix: RacingFix, startMs: number, index: number) => string | readonly string[]

function file(head: string, row: Row): LoggerFile['write'] {
  return (fixes, startMs) =>
    `${head}\n${fixes.flatMap((fix, index) => row(fix, startMs, index)).join('\n')}\n`
}

const place = ({ latitude, longitude }: RacingFix) =>
  `${digits(latitude, 7)},${digits(longitude, 7)}`
const speed = ({ speedMps }: RacingFix, perMps = 1) => digits((speedMps ?? 0) * perMps, 3)
const seconds = (atMs: number) => digits(atMs / 1000, 3)

const plain: Row = (fix, startMs) => `${seconds(startMs + fix.atMs)},${place(fix)},${speed(fix)}`
const plainHead = 'utc_s,latitude_deg,longitude_deg,speed_mps'
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Files with the columns that the documentation names. */
export const plainFiles: readonly LoggerFile[] = [
  { name: 'CSV with utc_s', write: file(plainHead, plain) },
  {
    name: 'CSV with t_s',
    hasDate: false,
    write: file(
      't_s,latitude_deg,longitude_deg,speed_kmh',
      fix => `${seconds(fix.atMs)},${place(fix)},${speed(fix, kmhPerMps)}`,
    ),
  },
  {
    name: 'CSV with quoted names and spaces',
    write: file(
      '"utc_s", "latitude_deg" ,"longitude_deg","speed_mps", "note"',
      (fix, startMs, index) => `${plain(fix, startMs, index) as string}, "a, b"`,
    ),
  },
  {
    name: 'CSV with semicolons and capitals',
    write: file(plainHead.toUpperCase().replaceAll(',', ' ; '), (fix, startMs, index) =>
      (plain(fix, startMs, index) as string).replaceAll(',', ' ; '),
    ),
  },
  {
    name: 'CSV with tabs and decimal commas',
    write: file(plainHead.replaceAll(',', '\t'), (fix, startMs, index) =>
      withCommas((plain(fix, startMs, index) as string).replaceAll(',', '\t')),
    ),
  },
  {
    name: 'CSV with quoted decimal commas',
    write: file(plainHead, (fix, startMs, index) =>
      (plain(fix, startMs, index) as string)
        .split(',')
        .map(cell => `"${withCommas(cell)}"`)
        .join(','),
    ),
  },
  {
    name: 'CSV with lines before the header',
    write: file(`Logger,7\nDriver,"A, B"\n\n${plainHead}`, plain),
  },
  { name: 'CSV with a row of units', write: file(`${plainHead}\ns,deg,deg,m/s`, plain) },
  {
    name: 'CSV with repeated and unsorted rows',
    write: (fixes, startMs) => {
      const rows = fixes.map((fix, index) => plain(fix, startMs, index) as string)
      const odd = rows.flatMap((row, index) =>
        index % 7 === 3 ? [rows[index + 1] ?? row, row, row] : index % 7 === 4 ? [] : [row],
      )
      return [plainHead, ...odd].join('\n')
    },
  },
  {
    name: 'CSV with NaN and empty cells',
    write: file(plainHead, (fix, startMs, index) => [
      plain(fix, startMs, index) as string,
      `${seconds(startMs + fix.atMs + 40)},NaN,NaN,NaN`,
      `${seconds(startMs + fix.atMs + 50)},,,`,
      ',,,',
    ]),
  },
  {
    name: 'CSV with zeros before the first fix',
    write: file(
      `${plainHead}\n${Array.from({ length: 30 }, (_, index) => `${1_781_000_000 + index},0,0,0`).join('\n')}`,
      plain,
    ),
  },
  {
    name: 'CSV with zero and later times before the clock is set',
    write: file(
      `${plainHead}\n${Array.from({ length: 30 }, (_, index) => `${index},50.99,5.25,0`).join('\n')}`,
      plain,
    ),
  },
  {
    name: 'CSV that repeats each position ten times',
    write: file(plainHead, (fix, startMs, index) =>
      Array.from(
        { length: 4 },
        (_, nth) => plain({ ...fix, atMs: fix.atMs + nth * 50 }, startMs, index) as string,
      ),
    ),
  },
  {
    name: 'CSV that repeats each position, without speed',
    hasSpeed: false,
    write: file('utc_s,latitude_deg,longitude_deg', (fix, startMs) =>
      Array.from(
        { length: 4 },
        (_, nth) => `${seconds(startMs + fix.atMs + nth * 50)},${place(fix)}`,
      ),
    ),
  },
  {
    name: 'CSV with Windows line ends, a byte order mark and a last empty line',
    write: (fixes, startMs) =>
      `\uFEFF${file(plainHead, plain)(fixes, startMs)}\n\n`.replaceAll('\n', '\r\n'),
  },
]

/** Files of other apps and loggers. */
export const appFiles: readonly LoggerFile[] = [
  {
    name: 'CSV of TrackAddict in mph',
    write: file(
      '# RaceRender Data: TrackAddict 4.8.2 on Android 14 (Mode: 0)\n# End Point: 50.98, 5.25  @ -1.00 deg\n"Time","UTC Time","Lap","Predicted Lap Time","GPS_Update","GPS_Delay","Latitude","Longitude","Altitude (m)","Speed (MPH)","Heading","Accuracy (m)","Accel X"',
      (fix, startMs) => [
        `${seconds(fix.atMs)},${seconds(startMs + fix.atMs)},0,0,1,0.1,${place(fix)},20,${speed(fix, mphPerMps)},,5.0,0.1`,
        `${seconds(fix.atMs + 50)},${seconds(startMs + fix.atMs + 50)},0,0,0,0.1,${place(fix)},20,${speed(fix, mphPerMps)},,5.0,0.2`,
      ],
    ),
  },
  {
    name: 'CSV of RaceBox in km/h',
    write: file(
      'Format,RaceBox CSV\nTrack,Test\nBest Lap Time,29.648\nLap 1, 33.821, sectors, 9.01,6.759\n\nRecord,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX',
      (fix, startMs, index) =>
        `${index + 1},${new Date(startMs + fix.atMs).toISOString()},${place(fix)},20,${speed(fix, kmhPerMps)},0.1,0.2,1.0,0,0.4`,
    ),
  },
  {
    name: 'CSV of RaceBox for RaceRender',
    write: file(
      'Record,Time,Latitude,Longitude,Altitude,KPH,X,Y,Z,Lap',
      (fix, startMs, index) =>
        `${index + 1},${new Date(startMs + fix.atMs).toISOString().slice(0, -1)},${place(fix)},20,${speed(fix, kmhPerMps)},0,0,0,0`,
    ),
  },
  {
    name: "CSV of Harry's LapTimer",
    write: file(
      "Harry's GPS LapTimer\nINDEX,LAPINDEX,DATE,TIME,TIME_LAP,LATITUDE,LONGITUDE,SPEED_KPH,SPEED_MPH,HEIGHT_M,HEADING_DEG,GPSDIFFERENTIAL[UNKNOWN/2D3D/DGPS/INVALID],ACCURACY_M",
      (fix, startMs, index) => {
        const at = new Date(startMs + fix.atMs)
        const [day = '', month = '', year = ''] = dayOf(startMs + fix.atMs, '-').split('-')
        return `${index},381,${day}-${months[Number(month) - 1]}-${year.slice(2)},${timeOfDay(at.getTime(), ':').slice(0, 11)},0.0,${place(fix)},${speed(fix, kmhPerMps)},${speed(fix, mphPerMps)},20,,2,4.9`
      },
    ),
  },
  {
    name: 'CSV of AiM',
    hasDate: false,
    write: (fixes, startMs) =>
      `"Format","AIM CSV File"\n"Session","Test"\n"Date","Saturday, June 20, 2026"\n"Time","2:00 PM"\n"Sample Rate","20"\n"Beacon Markers","93.2","186.1"\n\n"Time","GPS Speed","GPS Nsat","GPS Latitude","GPS Longitude","GPS Heading","GPS PosAccuracy"\n"sec","km/h","#","deg","deg","deg","mm"\n\n${file('', fix => `"${seconds(fix.atMs)}","${speed(fix, kmhPerMps)}","11","${digits(fix.latitude, 7)}","${digits(fix.longitude, 7)}","0","900"`)(fixes, startMs).trim()}\n`,
  },
  {
    name: 'CSV of a DIY logger in milliseconds',
    write: file(
      'timestamp,sats,hdop,lat,lng,speed_mph,altitude_m,heading_deg,h_acc_m,rpm',
      (fix, startMs) =>
        `${Math.round(startMs + fix.atMs)},12,0.8,${place(fix)},${speed(fix, mphPerMps)},20,,1.25,8450`,
    ),
  },
  {
    name: 'CSV of a DIY logger that reserves room for its lap times',
    write: file(
      `datetime,driver,course,short_name,best_lap_ms,optimal_ms\n2026-06-20 14:00:00,Ana,Full,ZOL,95432,95000\nlap_times_ms\n95432,96321\n${'\n'.repeat(8000)}timestamp,sats,hdop,lat,lng,speed_mph,rpm`,
      (fix, startMs) =>
        `${Math.round(startMs + fix.atMs)},12,0.8,${place(fix)},${speed(fix, mphPerMps)},8450`,
    ),
  },
  {
    name: 'CSV of Qstarz',
    write: file(
      'INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,HEADING,DISTANCE,',
      (fix, startMs, index) => {
        const [date = '', time = ''] = new Date(startMs + fix.atMs).toISOString().split('T')
        return `${index},T,${date.replaceAll('-', '/')},${time.slice(0, -1)},SPS,${digits(Math.abs(fix.latitude), 7)},${fix.latitude < 0 ? 'S' : 'N'},${digits(Math.abs(fix.longitude), 7)},${fix.longitude < 0 ? 'W' : 'E'},20.5 M,${speed(fix, kmhPerMps)} km/h,90.0,3.46 M,`
      },
    ),
  },
  {
    name: 'CSV with the date also in the time',
    write: file('date,time,latitude,longitude,speed_kmh', (fix, startMs) => {
      const at = new Date(startMs + fix.atMs).toISOString()
      return `${at.slice(0, 10)},${at.replace('T', ' ').slice(0, -1)},${place(fix)},${speed(fix, kmhPerMps)}`
    }),
  },
]
