import { describe, expect, test } from 'vitest'
import { readCircuitFile } from './circuitFile.ts'
import { readRecording } from './recording.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { textIn } from './textIn.ts'

const header = 'time_s,latitude_deg,longitude_deg,speed_mps'

/** Rows of a car that drives north with 10 m/s, at these seconds. */
function rowsAt(seconds: readonly number[]): string[] {
  return seconds.map(second => `${second},${50 + second * 0.0001},5,10`)
}

function timesOf(rows: readonly string[]): number[] {
  return readRecording([header, ...rows].join('\n')).map(({ atMs }) => atMs / 1000)
}

const ten = Array.from({ length: 10 }, (_, second) => second)
const rows = rowsAt(ten)
const text = [header, ...rows].join('\n')

describe('times', () => {
  test('fixes that are late are sorted, and double ones dropped', () => {
    expect(timesOf(rowsAt([0, 3, 1, 2, 2, 3, 5, 4, 9, 8, 7, 6]))).toEqual(ten)
    expect(timesOf(rows.toReversed())).toEqual(ten)
  })

  test.each([99_999_999, -99_999])('a single fix at %s s is dropped', wrong => {
    const odd = rows.map((row, index) => (index === 4 ? row.replace(/^4/, `${wrong}`) : row))
    expect(timesOf(odd)).toEqual(ten.filter(second => second !== 4))
  })

  test('a second drive in the same file follows the first one after a pause', () => {
    const hour = Array.from({ length: 100 }, (_, index) => index)
    const other = hour.map(second => `${second},${50.1 + second * 0.0001},5,10`)
    const times = timesOf([...rowsAt(hour), ...other])
    expect(times).toHaveLength(200)
    expect(times.slice(99, 102)).toEqual([99, 219, 220])
  })
})

describe('positions', () => {
  test('rows without reception are dropped', () => {
    const odd = rows.flatMap((row, index) => [row, `${index}.5,0,0,0`, `${index}.6,NaN,x,`])
    expect(timesOf(odd)).toEqual(ten)
  })

  test('a jump after which the car stays there is kept', () => {
    const later = ten.map(second => `${100 + second},51,5,10`)
    expect(timesOf([...rows, ...later]).at(-1)).toBe(109)
  })
})

describe('encodings', () => {
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
  test.each([
    { name: 'UTF-8', bytes: Buffer.from(text) },
    { name: 'UTF-8 with a mark', bytes: Buffer.from(`\uFEFF${text}`) },
    { name: 'UTF-16, little end first', bytes: utf16 },
    { name: 'UTF-16, big end first', bytes: Buffer.from(utf16).swap16() },
    { name: 'Windows line ends', bytes: Buffer.from(text.replaceAll('\n', '\r\n')) },
    { name: 'semicolons', bytes: Buffer.from(text.replaceAll(',', ';')) },
    { name: 'a broken letter', bytes: Buffer.from(text.replace('speed', '\xe9,speed'), 'latin1') },
  ])('$name is read', ({ bytes }) => {
    expect(readRecording(textIn(bytes))).toHaveLength(10)
  })
})

test.each([
  {
    name: 'decimal commas',
    change: (csv: string) => csv.replaceAll(',', ';').replaceAll('.', ','),
  },
  { name: 'tabs', change: (csv: string) => csv.replaceAll(',', '\t') },
  {
    name: 'comments and capitals',
    change: (csv: string) => `# by hand\n\n${csv.replace('time_s', 'Time_s')}`,
  },
])('a CSV file with $name has the same fixes', ({ change }) => {
  expect(readRecording(change(text))).toEqual(readRecording(text))
})

test.each([
  { unit: 'm/s', speed: '10' },
  { unit: 'kph', speed: '36' },
  { unit: 'mph', speed: '22.369363' },
])('a RaceChrono file has speeds in $unit', ({ unit, speed }) => {
  const older = [
    'This file is created using RaceChrono v5',
    `Timestamp (s),Latitude (deg),Longitude (deg),Speed (${unit})`,
    `1400000000.5,50.5,5.25,${speed}`,
  ]
  expect(readRecording(older.join('\n'))[0]?.speedMps).toBeCloseTo(10, 5)
})

test('a RaceChrono file of an older version has its units in the names', () => {
  const older = [
    'This file is created using RaceChrono v5',
    'Lap #,Timestamp (s),Latitude (deg),Longitude (deg),Speed (km/h),Bearing (deg)',
    '1,1400000000.5,50.5,5.25,36,90',
  ]
  expect(readRecording(older.join('\n'))).toEqual([
    {
      atMs: 1_400_000_000_500,
      latitude: 50.5,
      longitude: 5.25,
      speedMps: 10,
      headingDeg: 90,
      accuracyM: null,
    },
  ])
})

test('an NMEA log may begin in the middle of a sentence', () => {
  const rmc = '$GPRMC,100000.50,A,5030.000,N,00515.000,E,19.438445,90.0,231126,,,A'
  expect(readRecording(`00,N,0*11\n${rmc}`)).toHaveLength(1)
})

test.each([
  { name: 'an empty file', content: '' },
  { name: 'a header alone', content: header },
  { name: 'bytes', content: 'PK\u0003\u0004\u0000\u0000' },
  { name: 'one long line', content: 'x'.repeat(2_000_000) },
  { name: 'an open quote', content: `${text}\n"11,50,5` },
  { name: 'JSON', content: '{"a": 1}' },
  { name: 'a web page', content: '<html><body>hello</body></html>' },
  { name: 'a cut GPX file', content: '<gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2020' },
  { name: 'a GPX file with entities', content: '<!DOCTYPE x [<!ENTITY a "b">]><gpx>&a;</gpx>' },
  { name: 'a VBO file without data', content: '[header]\n[column names]\ntime lat long' },
])('$name is refused', ({ content }) => {
  expect(() => readRecording(content)).toThrow(RecordingRefused)
})

test('a circuit nested in collections, or with text as coordinates, is refused', () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [5, 50],
      [5.1, 50],
      [5.1, 50.1],
    ],
  }
  expect(readCircuitFile(JSON.stringify({ type: 'Feature', geometry: line })).outline).toHaveLength(
    3,
  )
  const deep = `${'{"type":"Feature","geometry":'.repeat(5000)}{}${'}'.repeat(5000)}`
  expect(() => readCircuitFile(deep)).toThrow('has no line')
  const texts = {
    type: 'LineString',
    coordinates: [
      ['5', '50'],
      ['5.1', '50'],
      ['5.1', '50.1'],
    ],
  }
  expect(() => readCircuitFile(JSON.stringify(texts))).toThrow('has no line')
})

test.each([
  { name: 'a long name of a column', content: `${'('.repeat(90_000)},latitude,longitude\n1,2,3` },
  { name: 'a long time', content: `time,latitude,longitude\n${'T'.repeat(90_000)},50,5\n` },
  { name: 'a long sentence', content: `$GPRMC,${' '.repeat(400_000)}*x` },
  {
    name: 'long lines with a day',
    content: `[header]\n${`File created on 1/1/2000${' '.repeat(90_000)}x\n`.repeat(10)}[column names]\ntime`,
  },
  {
    name: 'long units',
    content: `[header]\n${`velocity${'('.repeat(90_000)}a\u2028x\n`.repeat(10)}[column names]\ntime`,
  },
  { name: 'a long title', content: `[header]\n${'[] '.repeat(200_000)}\n[column names]\ntime` },
])(
  '$name is refused in time that grows with its length alone',
  ({ content }) => {
    expect(() => readRecording(content)).toThrow(RecordingRefused)
  },
  5000,
)

test.each([
  ['28/12/2010', '2010-12-28'],
  ['12/28/2010', '2010-12-28'],
  ['2010/12/28', '2010-12-28'],
  ['28-DEC-10', '2010-12-28'],
])('the date %s is %s', (date, day) => {
  const [fix] = readRecording(`date,time,latitude,longitude\n${date},12:00:00,50,5\n`)
  expect(fix?.atMs).toBe(Date.parse(`${day}T12:00:00Z`))
})

test.each(['28/12/2010', '12/28/2010'])('a VBO file created on %s is of that day', date => {
  const fixes = readRecording(
    `File created on ${date} at 11:00:00\n[header]\ntime\n[column names]\ntime lat long\n[data]\n120000 +3000 -300\n120001 +3000.1 -300\n`,
  )
  expect(fixes[0]?.atMs).toBe(Date.parse('2010-12-28T12:00:00Z'))
})

test('a date that does not exist is refused', () => {
  expect(() => readRecording('date,time,latitude,longitude\n28/28/2010,12:00:00,50,5\n')).toThrow(
    RecordingRefused,
  )
})

test('a day begins at midnight before the next ZDA sentence, also for a stopped car', () => {
  const startMs = Date.UTC(2020, 0, 1, 23, 55)
  const lines = Array.from({ length: 600 * 10 }, (_, index) => {
    const time = new Date(startMs + index * 100).toISOString()
    const clock = time.slice(11, 22).replaceAll(':', '')
    const position = `$GPGGA,${clock},5000.0000,N,00500.0000,E,1,10,1,0,M,0,M,,`
    const [year, month, day] = time.slice(0, 10).split('-')
    return index % 10 === 5
      ? `${position}\n$GPZDA,${clock},${day},${month},${year},00,00`
      : position
  })
  const fixes = readRecording(lines.join('\n'))
  const lastMs = fixes.at(-1)?.atMs
  // Rows that repeat a position may be dropped.
  expect(lastMs).toBeGreaterThan(startMs + 590_000)
  expect(lastMs).toBeLessThanOrEqual(startMs + 599_900)
  expect(fixes.every(({ atMs }) => atMs >= startMs)).toBe(true)
})

test('one damaged value in a VBO file in degrees leaves the others', () => {
  const rows = Array.from(
    { length: 50 },
    (_, n) => `${120_000 + n} ${n === 20 ? 5000 : 50 + n * 0.0002} 5.0`,
  )
  const fixes = readRecording(`[header]\n[column names]\ntime lat long\n[data]\n${rows.join('\n')}`)
  expect(fixes).toHaveLength(49)
  expect(fixes[0]).toMatchObject({ latitude: 50, longitude: 5 })
})

test('a damaged hour moves no position after the next ZDA sentence', () => {
  const lines = Array.from({ length: 60 }, (_, n) => {
    const time = `${n === 20 ? 22 : 10}00${String(n).padStart(2, '0')}.00`
    const position = `$GPGGA,${time},5000.${String(n * 100).padStart(4, '0')},N,00500.0000,E,1,10,1,0,M,0,M,,`
    return n % 10 === 5 ? `$GPZDA,${time},01,06,2020,00,00\n${position}` : position
  })
  const fixes = readRecording(lines.join('\n'))
  expect(fixes.at(-1)?.atMs).toBe(Date.UTC(2020, 5, 1, 10, 0, 59))
})

describe('a GPX file', () => {
  const gpx = (points: string) => `<gpx><trk><trkseg>${points}</trkseg></trk></gpx>`
  const point = (lat: string, second = 0) =>
    `<trkpt lat="${lat}" lon="5,25"><time>2025-06-05T10:00:0${second}Z</time><speed>12,5</speed></trkpt>`

  test('is read up to the NUL bytes that a logger wrote when it lost power', () => {
    const cut = `<gpx><trk><trkseg>${point('50.1')}${point('50.1001', 1)}<trkpt lat="50.2"`
    expect(readRecording(cut + '\0'.repeat(100_000))).toEqual(readRecording(cut))
    expect(readRecording(cut)).toHaveLength(2)
  })

  test('may have decimal commas', () => {
    expect(readRecording(gpx(point('50,125')))).toMatchObject([
      { latitude: 50.125, longitude: 5.25, speedMps: 12.5 },
    ])
  })

  test('whose positions are not numbers is refused with that reason', () => {
    expect(() => readRecording(gpx(point('north')))).toThrow(
      '“north” in the latitude, point 1, is not a latitude',
    )
    expect(() => readRecording(gpx('<trkpt lat="50" lon="5"/>'))).toThrow('have no times')
  })
})
