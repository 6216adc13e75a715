import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readRecording } from './recording.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { textIn } from './textIn.ts'

function refusalOf(bytes: Uint8Array | string): string {
  const text = typeof bytes === 'string' ? bytes : textIn(bytes)
  try {
    readRecording(text)
  } catch (error) {
    if (error instanceof RecordingRefused) return error.message
    throw error
  }
  throw new Error('The file was read.')
}

/** Bytes that are no text in any encoding, after those with which a file begins. */
function bytesAfter(...head: (string | number[])[]): Uint8Array {
  const rest = Array.from({ length: 300 }, (_, index) => (index * 151) % 256)
  return new Uint8Array(
    [...head, rest].flatMap(part =>
      typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part,
    ),
  )
}

test.each([
  ['a FIT file', bytesAfter([14, 16, 0x54, 8, 1, 2, 0, 0], '.FIT'), 'Export the activity as GPX'],
  ['an Excel workbook', bytesAfter('PK\x03\x04\x14\0', '[Content_Types].xml'), 'as CSV'],
  ['a KMZ file', bytesAfter('PK\x03\x04\x14\0', 'doc.kml'), 'Unzip it'],
  ['a ZIP file', bytesAfter('PK\x03\x04\x14\0'), 'Unzip it'],
  ['a PDF document', bytesAfter('%PDF-1.7\n'), 'PDF'],
  ['a PNG picture', bytesAfter([0x89], 'PNG\r\n\x1a\n'), 'picture'],
  ['a JPEG picture', bytesAfter([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF'), 'picture'],
  ['a photo of a phone', bytesAfter([0, 0, 0, 24], 'ftypheic'), 'picture'],
  ['a video', bytesAfter([0, 0, 0, 24], 'ftypmp42'), 'video'],
  ['an XRK file', bytesAfter('<hCNF', [0, 1, 2]), 'Race Studio'],
  ['an XRZ file', new Uint8Array(deflateSync('x'.repeat(5000))), 'Export it as CSV'],
  ['a log of MoTeC', bytesAfter([0x40, 0, 0, 0]), 'i2'],
  ['an old workbook', bytesAfter([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 'as CSV'],
  ['a database', bytesAfter('SQLite format 3\0'), 'database'],
  ['a log of u-blox', bytesAfter([0xb5, 0x62, 1, 7, 92, 0]), 'u-blox'],
  ['a file in gzip', new Uint8Array(gzipSync('x'.repeat(5000))), 'unpacked'],
  ['a workbook of another program', bytesAfter('PK\x03\x04\x14\0', 'docProps/app.xml'), 'as CSV'],
  ['bytes without a zero', bytesAfter([1, 2, 3]).filter(byte => byte !== 0), 'not a text file'],
  ['other bytes', bytesAfter([1, 2, 3, 0]), 'not a text file'],
  ['an empty file', '', 'empty'],
  ['an empty file with a mark', '\uFEFF\r\n', 'empty'],
  ['a web page', '<!DOCTYPE html><html><body>Log in</body></html>', 'web page'],
  ['JSON', '{"type":"FeatureCollection","features":[]}', 'JSON'],
  ['a list in JSON', '[\n  {"lat": 1}]', 'JSON'],
  ['a document', '{\\rtf1 hello}', 'plain text'],
  ['another XML file', '<osm><node/></osm>', '“osm”'],
  [
    'a KML line without times',
    '<kml><Placemark><LineString><coordinates>5,50,0 5.1,50,0</coordinates></LineString></Placemark></kml>',
    'line in the KML file has no times',
  ],
  ['a TCX file without GPS', '<TrainingCenterDatabase/>', 'no track'],
  [
    'an NMEA log without reception',
    '$GPRMC,120000.00,V,,,,,,,200626,,,N*7A\n$GPGGA,120000.00,,,,,0,00,99.9,,,,,,*60',
    'marked as void',
  ],
])('%s is refused with what it is', (_, bytes, reason) => {
  expect(refusalOf(bytes)).toContain(reason)
})

test.each([
  [
    'a time',
    'time,lat,lon\nyesterday,50,5\nnow,50,5',
    '“yesterday” in the column “time”, row 2, is not a time',
  ],
  ['a date', 'Date,time,lat,lon\n31/31/2026,12:00:00,50,5', '“31/31/2026” in the column “Date”'],
  ['a latitude', 't_s,Lat (deg),lon\n1,north,5', '“north” in the column “Lat (deg)”, row 2'],
  ['a longitude', 't_s,lat,lon\n1,50,5-6', '“5-6” in the column “lon”, row 2, is not a longitude'],
  [
    'a time in a VBO file',
    '[column names]\ntime lat long\n[data]\nnoon +3000.1 -300.1',
    '“noon” in the column “time”, row 1 of the data',
  ],
  [
    'a time in a GPX file',
    '<gpx><trk><trkseg><trkpt lat="50" lon="5"><time>noon</time></trkpt></trkseg></trk></gpx>',
    '“noon” in the time, point 1',
  ],
  [
    'a missing column',
    'lat,lon,speed\n50,5,3',
    'no column with the time, only “lat”, “lon”, “speed”',
  ],
  ['no known column', 'a,b,c\n1,2,3', 'it has “a”, “b”, “c”'],
  ['one column', 'latitude\n50\n51', 'it has “latitude”'],
  ['an unknown separator', 'time^lat^lon\n1^50^5', 'it has “time^lat^lon”'],
  [
    'an empty column',
    'time,lat,lon,lat,lon\n1,,,50,5\n2,,,50,5',
    'the column “lat” is empty in row 2',
  ],
  ['no number', 'time,lat,lon\n1,NaN,5\n2,NaN,5', 'the column “lat” has “NaN” in row 2'],
  [
    'a decimal comma between commas',
    'time,lat,lon\n1,50,123456,5,123456\n2,50,123457,5,123456',
    '“50” in the column “lat”, row 2, is not a latitude with a decimal point',
  ],
  [
    'exchanged latitudes and longitudes',
    'time,lat,lon\n1,150.5,-33.6\n2,150.5001,-33.6',
    '“150.5” in the column “lat”, row 2, is not a latitude',
  ],
  [
    'values that are no degrees',
    'time,lat,lon\n1,5578123.25,661234.5\n2,5578124.25,661234.5',
    '“5578123.25” in the column “lat”, row 2, is not a latitude',
  ],
  [
    'a longitude that is no degrees',
    'time,lat,lon\n1,50.1,661234.5\n2,50.1,661234.5',
    '“661234.5” in the column “lon”, row 2, is not a longitude',
  ],
  ['the columns of a VBO file', '[column names]\nsats vel\n[data]\n1 2', 'it has “sats”, “vel”'],
  ['a damaged time of NMEA', '$GPRMC,1300,A,5030.0,N,00515.0,E,1,2,200626,,', 'sentence 1'],
])('a refusal names the value: %s', (_, text, reason) => {
  expect(refusalOf(text)).toContain(reason)
})

test('a few unreadable rows do not make a file unreadable', () => {
  const rows = Array.from({ length: 20 }, (_, n) => `${n},${50 + n / 1e4},5`)
  expect(readRecording(['t_s,lat,lon', ...rows, 'end,of,file'].join('\n'))).toHaveLength(20)
})

test('times without seconds are refused as such', () => {
  const rows = Array.from(
    { length: 240 },
    (_, n) => `6/20/2026 13:0${Math.floor(n / 60)},${50 + n / 1e4},5`,
  )
  expect(refusalOf(['time,latitude,longitude', ...rows].join('\n'))).toContain(
    'The times have no seconds: 60 positions',
  )
})

test('longitudes of a whole turn are those west of Greenwich', () => {
  const rows = Array.from({ length: 20 }, (_, n) => `${n},${50 + n / 1e4},${350.3 + n / 1e4}`)
  const fixes = readRecording(['t_s,lat,lon', ...rows].join('\n'))
  expect(fixes).toHaveLength(20)
  for (const { longitude } of fixes) expect(Math.abs(longitude - -9.7)).toBeLessThan(0.01)
})
