import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { maxUnpackedBytes } from '#contract/shared/recordingRules.ts'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { readBytes } from './readBytes.ts'

const nowMs = Date.UTC(2026, 4, 2, 12)
const header = 'utc_s,latitude_deg,longitude_deg,speed_kmh,accuracy_m,heading_deg\n'

function read(file: string | Uint8Array, day: string | null = null) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  return readBytes({ bytes, dayStartMs: day === null ? null : Date.parse(day), nowMs })
}

function fixesOf(...asked: Parameters<typeof read>) {
  const answer = read(...asked)
  if (!('fixes' in answer)) throw new Error(answer.refused)
  return { ...answer.fixes, keptPerSecond: answer.keptPerSecond }
}

test('columns have the values of the fixes, also of a compressed file', () => {
  const text = `${header}1777712400.5,50.5,5.25,36.4,3.5,360\n1777712401.5,50.5001,5.25,999,,\n`
  const fixes = fixesOf(text)
  expect([...fixes.at]).toEqual([1_777_712_400_500, 1_777_712_401_500])
  expect([...fixes.latitude]).toEqual([50.5, 50.5001])
  expect([...fixes.speedKmh]).toEqual([36, Number.NaN])
  expect([...fixes.accuracyM]).toEqual([3.5, Number.NaN])
  expect([...fixes.headingDeg]).toEqual([0, Number.NaN])
  const packed = fixesOf(new Uint8Array(gzipSync(text)))
  expect(packed).toEqual(fixes)
  expect(packed.hash).toHaveLength(32)
})

test('a file in UTF-16, as some programs save it, is read', () => {
  const text = `${header}1777712400.5,50.5,5.25,36.4,3.5,360\n`
  const bytes = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))
  expect([...fixesOf(bytes).latitude]).toEqual([50.5])
})

test('ten positions a second are kept', () => {
  const rows = Array.from({ length: 50 }, (_, n) => `${1_777_712_400 + n / 25},50,5,100,,\n`)
  const { at, keptPerSecond } = fixesOf(header + rows.join(''))
  expect(at).toHaveLength(20)
  expect(keptPerSecond).toBe(10)
  expect(fixesOf(header + rows.slice(0, 1).join('')).keptPerSecond).toBeNull()
})

test('a recording without a date needs the day', () => {
  const text = 't_s,latitude_deg,longitude_deg\n3600,50,5\n3601,50,5.1\n'
  expect(read(text)).toEqual({ refused: 'recording-undated' })
  expect(fixesOf(text, '2025-08-01').at[0]).toBe(Date.UTC(2025, 7, 1, 1))
  const vbo = '[header]\n[column names]\ntime lat long\n[data]\n133000.5 +3000 -300\n'
  expect(read(vbo)).toEqual({ refused: 'recording-undated' })
  expect(fixesOf(vbo, '2025-08-01').at[0]).toBe(Date.UTC(2025, 7, 1, 13, 30, 0, 500))
  const named = `File created on 14/07/2025 @ 10:00:00\n${vbo}`
  expect(fixesOf(named).at[0]).toBe(Date.UTC(2025, 6, 14, 13, 30, 0, 500))
})

test('the given day decides how an ambiguous date is read', () => {
  const vbo = '[header]\n[column names]\ntime lat long\n[data]\n133000 +3000 -300\n'
  const rows = '05.06.2025 13:30:00;50;5\n05.06.2025 13:30:01;50.001;5\n'
  const files = [
    `File created on 05/06/2025 @ 10:00:00\n${vbo}`,
    `utc_s;latitude_deg;longitude_deg\n${rows}`,
  ]
  for (const text of files) {
    const june = Date.UTC(2025, 5, 5, 13, 30)
    const may = Date.UTC(2025, 4, 6, 13, 30)
    const startOf = (day?: string) => fixesOf(text, day).at[0]
    expect([startOf(), startOf('2025-06-05'), startOf('2025-05-06')]).toEqual([june, june, may])
    // A day that is neither of the two readings does not change the date.
    expect(startOf('2024-01-01')).toBe(june)
    const hashOf = (day?: string) => fixesOf(text, day).hash.join()
    expect(hashOf('2025-06-05')).toBe(hashOf())
    expect(hashOf('2025-05-06')).not.toBe(hashOf())
  }
})

test('a date whose day-first reading is in the future is read with the month first', () => {
  const text =
    'File created on 05/01/2026\n[column names]\ntime lat long\n[data]\n133000 +3000 -300\n'
  expect(fixesOf(text).at[0]).toBe(Date.UTC(2026, 0, 5, 13, 30))
  const later = text.replace('05/01', '04/12')
  expect(fixesOf(later).at[0]).toBe(Date.UTC(2026, 3, 12, 13, 30))
})

test('a recording with the month first may pass midnight', () => {
  const fileOf = (...rows: string[]) => ['utc_s,latitude_deg,longitude_deg', ...rows].join('\n')
  const text = fileOf('05/06/2025 23:59:59,50,5', '05/07/2025 00:00:01,50.001,5')
  const may = Date.UTC(2025, 4, 6, 23, 59, 59)
  // Without a day: the day-first reading would be a month long.
  for (const day of ['2025-05-06', undefined])
    expect([...fixesOf(text, day).at]).toEqual([may, may + 2000])
  const toThe13th = fileOf('05/12/2025 23:59:59,50,5', '05/13/2025 00:00:01,50.001,5')
  const later = Date.UTC(2025, 4, 12, 23, 59, 59)
  expect([...fixesOf(toThe13th, '2025-05-12').at]).toEqual([later, later + 2000])
  const named = fileOf('05-JUN-2025 10:00:00,50,5', '05-JUN-2025 10:00:01,50.001,5')
  expect(fixesOf(named, '2025-05-06').at[0]).toBe(Date.UTC(2025, 5, 5, 10))
})

/** A fix of a car that drives straight on: repeated positions are dropped, and a way that returns is searched for laps. */
const row = (seconds: number) => `${seconds},${50 + (seconds % 100_000) / 1e5},5,100,,\n`

test('a recording with too many positions keeps fewer a second', () => {
  const long = Array.from({ length: 250_001 }, (_, n) => row(1_770_000_000 + n / 10))
  const { at, keptPerSecond } = fixesOf(header + long.join(''))
  expect(keptPerSecond).toBe(5)
  expect(at).toHaveLength(125_001)
  expect(at[1]! - at[0]!).toBe(200)
})

test.each<[string, string | Uint8Array, RefusalDetail]>([
  ['text that is not a recording', 'hello', 'recording-unreadable'],
  ['bytes', new Uint8Array([0, 255, 254, 1]), 'recording-unreadable'],
  ['an entity of XML', '<!DOCTYPE x [<!ENTITY a "b">]><gpx>&a;</gpx>', 'recording-unreadable'],
  [
    'a GPX file without times',
    '<gpx><trk><trkseg><trkpt lat="50" lon="5"/></trkseg></trk></gpx>',
    'recording-without-times',
  ],
  ['a time before GPS', header + row(1_000_000), 'recording-unreadable'],
  ['a time in the future', header + row(1_777_722_400 + 90_000), 'recording-future'],
  [
    'more than two days',
    header + [0, 1, 2, 3, 4, 173_000].map(seconds => row(1_777_000_000 + seconds)).join(''),
    'recording-too-long',
  ],
  [
    'a truncated gzip',
    new Uint8Array(gzipSync('x'.repeat(99))).slice(0, 20),
    'recording-unreadable',
  ],
  ['a bomb', new Uint8Array(gzipSync(Buffer.alloc(maxUnpackedBytes + 1))), 'recording-too-large'],
])('%s is refused', (_, file, refused) => {
  expect(read(file)).toMatchObject({ refused })
})

test('a refusal quotes the unreadable value, and added weeks are returned', () => {
  expect(read('time,lat,lon\nnoon,50,5\n')).toMatchObject({
    refused: 'recording-unreadable',
    reason: expect.stringContaining('“noon” in the column “time”, row 2'),
  })
  const old = '$GPRMC,130000.00,A,5030.0000,N,00515.0000,E,1.0,2.0,150906,,,A'
  const response = read(old)
  expect(response).toMatchObject({ addedWeeks: 1024 })
  expect('fixes' in response && response.fixes.at[0]).toBe(Date.UTC(2026, 4, 1, 13))
})
