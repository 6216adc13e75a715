import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { RefusalDetail } from '#contract/shared/refusalDetails.ts'
import { maxUnpackedBytes } from '#contract/shared/replay/recordingRules.ts'
import { readBytes } from './readBytes.ts'

const nowMs = Date.UTC(2026, 4, 2, 12)
const header = 'utc_s,latitude_deg,longitude_deg,speed_kmh,accuracy_m,heading_deg\n'

function read(file: string | Uint8Array, day: string | null = null) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  return readBytes({ bytes, dayMs: day === null ? null : Date.parse(day), nowMs })
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

/** A fix of a car that moves: a repeated position would be dropped. */
const row = (seconds: number) => `${seconds},${50 + (seconds % 100) / 1e5},5,100,,\n`

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
    header + row(1_777_000_000) + row(1_777_000_000 + 173_000),
    'recording-too-long',
  ],
  [
    'a truncated gzip',
    new Uint8Array(gzipSync('x'.repeat(99))).slice(0, 20),
    'recording-unreadable',
  ],
  ['a bomb', new Uint8Array(gzipSync(Buffer.alloc(maxUnpackedBytes + 1))), 'recording-too-large'],
])('%s is refused', (_, file, refused) => {
  expect(read(file)).toEqual({ refused })
})
