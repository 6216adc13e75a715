import { describe, expect, test } from 'vitest'
import { distanceM } from '#contract/shared/geo.ts'
import { readRecording } from './recording.ts'

const startMs = Date.UTC(2026, 5, 20, 13, 59, 30)

/** Two minutes at 5 Hz, north-eastwards in a bow, in the south west: all signs matter. */
const drive = Array.from({ length: 600 }, (_, index) => {
  const seconds = index / 5
  return {
    ms: startMs + index * 200,
    seconds,
    latitude: -33.61 + 0.0002 * seconds,
    longitude: -70.72 + 0.003 * Math.sin(seconds / 40),
  }
})
type Sample = (typeof drive)[number]

const iso = ({ ms }: Sample) => new Date(ms).toISOString()
/** `hh:mm:ss.s` of the day. */
const clock = (sample: Sample) => iso(sample).slice(11, 21)
const place = ({ latitude, longitude }: Sample) => `${latitude.toFixed(7)},${longitude.toFixed(7)}`
const commas = (text: string) => text.replace(/(\d)\.(\d)/g, '$1,$2')
const two = (value: number) => String(value).padStart(2, '0')

function minutesOf(degrees: number, length: number): string {
  const whole = Math.floor(Math.abs(degrees))
  const minutes = ((Math.abs(degrees) - whole) * 60).toFixed(6).padStart(9, '0')
  return `${String(whole).padStart(length, '0')}${minutes}`
}

function inWords(degrees: number, [positive, negative]: [string, string]): string {
  const size = Math.abs(degrees)
  const whole = Math.floor(size)
  const minutes = Math.floor((size - whole) * 60)
  const seconds = ((size - whole) * 60 - minutes) * 60
  return `${whole}°${minutes}'${seconds.toFixed(4)}"${degrees < 0 ? negative : positive}`
}

function twelveHours(sample: Sample): string {
  const [hours = '', minutes = '', seconds = ''] = clock(sample).split(':')
  return `${Number(hours) % 12 || 12}:${minutes}:${seconds} ${Number(hours) < 12 ? 'AM' : 'PM'}`
}

interface Logger {
  name: string
  head: string
  row: (sample: Sample) => string
  /** When times without a date begin, in milliseconds; without it they are dates. */
  fromMs?: number
}

const ofDay = startMs % 86_400_000

/** Garmin's whole parts of half a circle, and its seconds since the end of 1989. */
const semicircles = (degrees: number) => Math.round((degrees * 2 ** 31) / 180)
const garminSeconds = ({ ms }: Sample) => (ms - Date.UTC(1989, 11, 31)) / 1000

const loggers: readonly Logger[] = [
  {
    name: "Garmin's parts of half a circle, without a unit",
    head: 'timestamp,position_lat,position_long,enhanced_speed',
    row: s => `${iso(s)},${semicircles(s.latitude)},${semicircles(s.longitude)},22.1`,
  },
  {
    name: "Garmin's seconds, and the unit in brackets",
    head: 'record.timestamp[s],record.position_lat[semicircles],record.position_long[semicircles]',
    row: s => `${garminSeconds(s)},${semicircles(s.latitude)},${semicircles(s.longitude)}`,
  },
  {
    name: 'the fields of FitCSVTool, named in each row',
    head: 'Type,Local Number,Message,Field 1,Value 1,Units 1,Field 2,Value 2,Units 2\nDefinition,1,record,timestamp,1,,position_lat,1,,position_long,1,',
    row: s =>
      `Data,1,record,timestamp,"${garminSeconds(s)}",s,position_lat,"${semicircles(s.latitude)}",semicircles,position_long,"${semicircles(s.longitude)}",semicircles`,
  },
  {
    name: 'the names of a camera, and the date with the time',
    head: '"cts","date","GPS (Lat.) [deg]","GPS (Long.) [deg]","GPS (2D speed) [m/s]","precision"',
    row: s => `${s.seconds * 1000 + 163},${iso(s)},${place(s)},22.1,162`,
  },
  {
    name: 'semicolons in a name between commas',
    head: "Harry's GPS LapTimer\nINDEX,DATE,TIME,LATITUDE,LONGITUDE,SPEED_KPH,GPSFIX[0:NOFIX;1:2D;2:3D]",
    row: s => `1,20-JUN-26,${clock(s)},${place(s)},80,2`,
  },
  {
    name: 'columns that are aligned with spaces',
    head: 'Log of a day\n  time          lat          lon   speed',
    row: s =>
      [s.seconds.toFixed(1), ...place(s).split(','), '22.1'].map(c => c.padStart(13)).join(''),
    fromMs: 0,
  },
  {
    name: 'millionths of a degree',
    head: 'time,lat,lon',
    row: s => `${iso(s)},${Math.round(s.latitude * 1e6)},${Math.round(s.longitude * 1e6)}`,
  },
  {
    name: 'nanoseconds',
    head: 'time,seconds_elapsed,horizontalAccuracy,speed,bearing,longitude,latitude',
    row: s =>
      `${s.ms}000000,${s.seconds},3.2,22,98,${s.longitude.toFixed(7)},${s.latitude.toFixed(7)}`,
  },
  { name: 'microseconds', head: 'timestamp,lat,lng', row: s => `${s.ms}000,${place(s)}` },
  {
    name: 'ticks of 100 ns since the year 1',
    head: 'timestamp,lat,lng',
    row: s => `${BigInt(s.ms) * 10_000n + 621_355_968_000_000_000n},${place(s)}`,
  },
  {
    name: 'the names of an app that logs all sensors',
    head: 'loggingTime(txt),locationTimestamp_since1970(s),locationLatitude(WGS84),locationLongitude(WGS84),locationSpeed(m/s),locationHorizontalAccuracy(m)',
    row: s => `${iso(s)},${s.ms / 1000},${place(s)},22.1,3.2`,
  },
  { name: 'milliseconds', head: 'Time;Lat;Lon', row: s => `${s.ms};${place(s).replace(',', ';')}` },
  {
    name: 'milliseconds with separated thousands',
    head: '"time","lat","lon"',
    row: s => `"${s.ms.toLocaleString('en-US')}",${place(s)}`,
  },
  {
    name: 'milliseconds since the start without a unit',
    head: 'timestamp,lat,lon',
    row: s => `${(s.seconds * 1000).toFixed(0)},${place(s)}`,
    fromMs: 0,
  },
  {
    name: 'seconds since the start, with the unit in a row of its own',
    head: 'Time,GPS Latitude,GPS Longitude,GPS Speed\ns,deg,deg,km/h',
    row: s => `${s.seconds.toFixed(2)},${place(s)},80.0`,
    fromMs: 0,
  },
  {
    name: 'minutes as a decimal number',
    head: 'Time [min],Latitude [deg],Longitude [deg]',
    row: s => `${(s.seconds / 60).toFixed(6)},${place(s)}`,
    fromMs: 0,
  },
  {
    name: 'the days of a spreadsheet',
    head: 'Time,Latitude,Longitude',
    row: s => `${(s.ms / 86_400_000 + 25_569).toFixed(10)},${place(s)}`,
  },
  {
    name: 'hhmmss and ddmmyy, with minutes of arc',
    head: 'date,time,lat,N/S,lon,E/W',
    row: s =>
      `200626,${clock(s).replaceAll(':', '')},${minutesOf(s.latitude, 2)},S,${minutesOf(s.longitude, 3)},W`,
  },
  {
    name: 'AM and PM, with the month first',
    head: 'Date,Time,Latitude,Longitude,Speed (mph)',
    row: s => `06/20/2026,${twelveHours(s)},${place(s)},50`,
  },
  {
    name: 'minutes and seconds',
    head: 'Time,Latitude,Longitude',
    row: s =>
      `${two(Math.floor(s.seconds / 60))}:${(s.seconds % 60).toFixed(1).padStart(4, '0')},${place(s)}`,
    fromMs: 0,
  },
  {
    name: 'an offset of hours alone',
    head: 'datetime,latitude,longitude',
    row: s => `${new Date(s.ms + 7_200_000).toISOString().slice(0, -1)}+02,${place(s)}`,
  },
  {
    name: 'the word UTC',
    head: 'Timestamp (UTC),Latitude (°),Longitude (°)',
    row: s => `${iso(s).replace('T', ' ').replace('Z', ' UTC')},${place(s)}`,
  },
  {
    name: 'a date in words',
    head: 'Time,Latitude,Longitude',
    row: s => `"Jun 20, 2026, ${twelveHours(s)}",${place(s)}`,
  },
  {
    name: 'milliseconds in a column of their own, with UTC and local times',
    head: 'INDEX,RCR,UTC DATE,UTC TIME,LOCAL DATE,LOCAL TIME,MS,VALID,LATITUDE,N/S,LONGITUDE,E/W,SPEED(km/h)',
    row: s =>
      `1,T,2026/06/20,${clock(s).slice(0, 8)},2026/06/20,10:00:00,${s.ms % 1000},3D,${Math.abs(s.latitude).toFixed(7)},S,${Math.abs(s.longitude).toFixed(7)},W,80`,
  },
  {
    name: 'letters of the hemisphere',
    head: 'time,latitude,longitude',
    row: s => `${iso(s)},${Math.abs(s.latitude).toFixed(7)}S,${Math.abs(s.longitude).toFixed(7)} W`,
  },
  {
    name: 'degrees, minutes and seconds',
    head: 'time;latitude;longitude',
    row: s => `${iso(s)};${inWords(s.latitude, ['N', 'S'])};${inWords(s.longitude, ['E', 'W'])}`,
  },
  {
    name: 'ten-millionths of a degree',
    head: 'utc_ms,lat_e7,lon_e7,gSpeed_mm_s',
    row: s => `${s.ms},${Math.round(s.latitude * 1e7)},${Math.round(s.longitude * 1e7)},22000`,
  },
  {
    name: 'ten-millionths of a degree without a unit',
    head: 'timestampMs,latitude,longitude',
    row: s => `${s.ms},${Math.round(s.latitude * 1e7)},${Math.round(s.longitude * 1e7)}`,
  },
  {
    name: 'units after bars, and times since the start beside those with a date',
    head: '"Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1,"Latitude"|"Degrees"|-180.0|180.0|10,"Longitude"|"Degrees"|-180.0|180.0|10,"Speed"|"MPH"|0.0|150.0|10',
    row: s => `${s.seconds * 1000},${s.ms},${place(s)},50.1`,
  },
  {
    name: 'times since the start, with the date beside them',
    head: 'Elapsed time (s),Date,UTC Time,Latitude,Longitude',
    row: s => `${s.seconds},20/06/2026,${clock(s)},${place(s)}`,
  },
  {
    name: 'German names and decimal commas',
    head: 'Datum;Uhrzeit;Breitengrad;Längengrad;Geschwindigkeit [km/h]',
    row: s => `20.06.2026;${clock(s)};${commas(place(s).replace(',', ';'))};80,5`,
  },
  {
    name: 'French names',
    head: 'Date\tHeure\tLatitude\tLongitude\tVitesse (km/h)',
    row: s => `20/06/2026\t${commas(clock(s))}\t${commas(place(s).replace(',', '\t'))}\t80,5`,
  },
  {
    name: 'a header in a comment',
    head: '# time, lat, lon',
    row: s => `${iso(s)},${place(s)}`,
  },
  {
    name: 'the names of an Android logger',
    head: 'time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop',
    row: s => `${iso(s)},${place(s)},550.1,3.9,12.5,22.1,18,gps,0.7,,`,
  },
  {
    name: 'the names of an app for physics',
    head: '"Time (s)","Latitude (°)","Longitude (°)","Height (m)","Velocity (m/s)","Direction (°)","Horizontal Accuracy (m)"',
    row: s =>
      `${s.seconds.toExponential(9)},${s.latitude.toExponential(10)},${s.longitude.toExponential(10)},5.5E2,2.2E1,NaN,3.0E0`,
    fromMs: 0,
  },
  {
    name: 'the quoted table of an analysis program',
    head: '"Format","CSV File",,,"Workbook",""\n"Venue","Test",,,,\n"Log Date","20/06/2026",,,,\n\n"Time","GPS Latitude","GPS Longitude","GPS Speed","GPS Date"\n"s","deg","deg","km/h",""\n',
    row: s =>
      `"${s.seconds.toFixed(3)}","${s.latitude.toFixed(7)}","${s.longitude.toFixed(7)}","80.1",""`,
    fromMs: 0,
  },
]

describe.each(loggers)('a file with $name', ({ head, row, fromMs }) => {
  const text = [head, ...drive.map(row)].join('\n')

  test('has the times and places of the drive', () => {
    const read = readRecording(text)
    expect(read).toHaveLength(drive.length)
    const first = fromMs ?? startMs
    const off = drive.map(({ ms }, index) => Math.abs(read[index]!.atMs - first - (ms - startMs)))
    expect(Math.max(...off)).toBeLessThan(2)
    const away = drive.map((sample, index) => distanceM(read[index]!, sample))
    expect(Math.max(...away)).toBeLessThan(0.2)
  })
})

test('times of the day in seconds get the date beside them', () => {
  const rows = drive.map(s => `2026-06-20,${(ofDay / 1000 + s.seconds).toFixed(1)},${place(s)}`)
  const read = readRecording(['date,time_s,lat,lon', ...rows].join('\n'))
  expect(read[0]?.atMs).toBe(startMs)
})

test.each([
  ['mph in the cell', 'speed', '49.2126 mph'],
  ['knots in brackets', 'Speed [kn]', '42.7646'],
  ['feet a second', 'speed_fps', '72.1785'],
  ['a name and unit in words', 'Ground Speed / km/h', '79.2'],
])('a speed with %s is converted', (_, name, cell) => {
  const read = readRecording(`utc_s,lat,lon,${name}\n1700000000,50,5,${cell}\n`)
  expect(read[0]?.speedMps).toBeCloseTo(22, 3)
})
