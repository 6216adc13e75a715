import { expect, test } from 'vitest'
import { readCircuitFile } from './circuitFile.ts'
import { readRecording } from './recording.ts'
import { RecordingRefused } from './recordingRefused.ts'

const first = { latitude: 50.5, longitude: 5.25, speedMps: 10, headingDeg: 90 }

test('a plain CSV file may have its columns in any order', () => {
  const text =
    'speed_kmh,longitude_deg,latitude_deg,utc_s,heading_deg,accuracy_m\n36,5.25,50.5,100.5,90,4\n'
  expect(readRecording(text)).toEqual([{ ...first, atMs: 100_500, accuracyM: 4 }])
})

test('a CSV file with two times has the steps of the first and the date of utc_s', () => {
  const text =
    'time_s,utc_s,latitude_deg,longitude_deg\n0.25,,50.5,5.25\n0.5,1700000000,50.5,5.25\n0.75,1700000000,50.5,5.25\n'
  const times = readRecording(text).map(({ atMs }) => atMs - 1_700_000_000_000)
  expect(times).toEqual([-250, 0, 250])
})

test('a RaceChrono file has a preamble, units and sources', () => {
  const text = [
    'This file is created using RaceChrono v9 ( http://racechrono.com/ ).',
    'Format,3',
    'Session title,"Test, one"',
    '',
    'timestamp,fragment_id,lap_number,latitude,longitude,bearing,speed,speed,accuracy',
    'unix time,,,deg,deg,deg,m/s,km/h,m',
    ',,,100: gps,100: gps,100: gps,100: gps,200: obd,100: gps',
    '1700000000.250,0,1,50.5,5.25,90,10,37,2.5',
    '1700000000.300,0,1,,,,,38,',
  ].join('\n')
  expect(readRecording(text)).toEqual([{ ...first, atMs: 1_700_000_000_250, accuracyM: 2.5 }])
})

test('a GPX file may have speeds in extensions', () => {
  const text = `<?xml version="1.0"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="http://example.com/x"><trk><trkseg>
<trkpt lat="50.5" lon="5.25"><time>2026-11-23T10:00:00.500Z</time>
<extensions><x:speed>10</x:speed><x:course>90</x:course></extensions></trkpt>
<trkpt lat="50.6" lon="5.25"></trkpt>
</trkseg></trk></gpx>`
  const atMs = Date.UTC(2026, 10, 23, 10, 0, 0, 500)
  expect(readRecording(text)).toEqual([{ ...first, atMs, accuracyM: null }])
})

test('an NMEA log gives its valid RMC sentences', () => {
  const rmc = 'GPRMC,100000.50,A,5030.000,N,00515.000,E,19.438445,90.0,231126,,,A'
  const sum = Buffer.from(rmc).reduce((bits, byte) => bits ^ byte, 0)
  const checked = `$${rmc}*${sum.toString(16).toUpperCase().padStart(2, '0')}`
  const broken = checked.replace('5030', '5031')
  const silent = '$GPRMC,100001.00,V,,,,,,,231126,,,N'
  const [fix, ...more] = readRecording([checked, broken, silent, '$GPGGA,1'].join('\r\n'))
  expect(more).toEqual([])
  expect(fix).toMatchObject({ latitude: 50.5, longitude: 5.25, headingDeg: 90 })
  expect(fix?.speedMps).toBeCloseTo(10, 4)
  expect(fix?.atMs).toBe(Date.UTC(2026, 10, 23, 10, 0, 0, 500))
})

test('a VBO file counts minutes to the west, and passes midnight', () => {
  const text = `File created on 23/11/2026
[header]
[column names]
sats time lat long velocity heading
[data]
008 235959.50 +03030.000000 -00315.000000 036.000 090.00
008 000000.50 +03030.000000 -00315.000000 036.000 090.00
`
  const fixes = readRecording(text)
  expect(fixes[0]).toMatchObject(first)
  expect((fixes[1]?.atMs ?? 0) - (fixes[0]?.atMs ?? 0)).toBe(1000)
})

test('speeds and accuracies that no receiver reports are left out', () => {
  const text = 't_s,latitude_deg,longitude_deg,speed_mps,accuracy_m\n1,50,5,1e9,-1\n'
  expect(readRecording(text)).toMatchObject([{ speedMps: null, accuracyM: null }])
})

test.each([
  ['an empty file', ''],
  ['a file without columns', 'hello'],
  ['a CSV file without positions', 't_s,latitude_deg,longitude_deg\n'],
  ['positions that are not on earth', 't_s,latitude_deg,longitude_deg\n1,95,5\n'],
  ['an unclosed quote', 't_s,latitude_deg,longitude_deg\n1,"5'],
  ['XML that is not well-formed', '<gpx><trk>'],
  ['a VBO file without columns', '[header]\n[data]\n1 2 3'],
  ['a RaceChrono file without a header', 'This file is created using RaceChrono v9'],
  ['an NMEA log without a position', '$GPGGA,1'],
])('%s is refused with a sentence', (_, text) => {
  expect(() => readRecording(text)).toThrow(RecordingRefused)
})

test('a circuit is read from GeoJSON or GPX', () => {
  const coordinates = [
    [5.25, 50.5],
    [5.26, 50.5],
    [5.26, 50.6],
  ]
  const outline = coordinates.map(([longitude, latitude]) => ({ latitude, longitude }))
  const line = { type: 'LineString', coordinates }
  const feature = { type: 'Feature', properties: {}, geometry: line }
  const polygon = { type: 'Polygon', coordinates: [coordinates] }
  for (const json of [line, feature, { type: 'FeatureCollection', features: [feature] }, polygon]) {
    expect(readCircuitFile(JSON.stringify(json)).outline).toEqual(outline)
  }
  const points = coordinates.map(([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"/>`).join('')
  expect(readCircuitFile(`<gpx><trk><trkseg>${points}</trkseg></trk></gpx>`).outline).toEqual(
    outline,
  )
  for (const bad of ['', '{}', 'null', '{"type":"LineString","coordinates":[1,2,3]}']) {
    expect(() => readCircuitFile(bad)).toThrow(RecordingRefused)
  }
})
