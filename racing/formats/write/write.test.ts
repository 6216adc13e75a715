import { gpx as gpxToGeoJson } from '@tmcw/togeojson'
import { DOMParser } from '@xmldom/xmldom'
import { expect, test } from 'vitest'
import { checkGpx } from '#testing/files/gpxStructure.ts'
import type { RacingFix } from '../../fix.ts'
import { readRecording } from '../recording.ts'
import { gpxPlace } from './gpxText.ts'
import type { RecordingHead, RecordingWriter, WrittenFix } from './recordingWriter.ts'
import { csvWriter } from './writeCsv.ts'
import { gpxWriter } from './writeGpx.ts'
import { raceChronoWriter } from './writeRaceChrono.ts'
import { vboWriter } from './writeVbo.ts'

const startedAt = Date.UTC(2026, 10, 23, 23, 59, 57, 250)
const head: RecordingHead = {
  title: 'Heat 1 [wet] <&> "final"',
  driver: 'Léo Garnier',
  circuit: 'Circuit Zolder',
  startedAt,
  line: [
    { latitude: 50.98887, longitude: 5.2551 },
    { latitude: 50.98897, longitude: 5.2555 },
  ],
}

/** Past midnight, with a gap of a minute, in the south and west. */
const written: WrittenFix[] = Array.from({ length: 40 }, (_, index) => ({
  at: startedAt + index * 1000 + (index >= 20 ? 60_000 : 0),
  latitude: -33.4567891 + index * 1e-5,
  longitude: -5.2512345 - index * 2e-5,
  speedKmh: 100 + index,
  accuracyM: 3.5,
  headingDeg: 271,
  lap: index < 10 ? null : 1,
  atArrival: index % 20 === 7,
}))

function fileOf(writer: RecordingWriter): string {
  const portions = [written.slice(0, 7), written.slice(7, 7), written.slice(7)]
  return [writer.head(), ...portions.map(part => writer.rows(part)), writer.foot()].join('')
}

const quoted = (text: string) => JSON.stringify(text)

const writers: Record<string, () => RecordingWriter> = {
  CSV: () => csvWriter(),
  GPX: () => gpxWriter(head),
  VBO: () => vboWriter(head),
  RaceChrono: () => raceChronoWriter({ ...head, title: 'x' }, quoted),
}

test.each(Object.entries(writers))('a %s file is read again as it was written', (_, writer) => {
  const read = readRecording(fileOf(writer()))
  expect(read).toHaveLength(written.length)
  for (const [index, fix] of read.entries()) {
    const before = written[index]!
    expect(fix.atMs).toBeCloseTo(before.at, 3)
    expect(Math.abs(fix.latitude - before.latitude)).toBeLessThan(1e-7)
    expect(Math.abs(fix.longitude - before.longitude)).toBeLessThan(1e-7)
    expect(fix).toMatchObject<Partial<RacingFix>>({
      headingDeg: 271,
      accuracyM: 3.5,
    })
    expect(fix.speedMps! * 3.6).toBeCloseTo(before.speedKmh!, 1)
  }
})

test('a CSV file keeps which times are those of arrival', () => {
  const read = readRecording(fileOf(csvWriter()))
  const late = read.flatMap(({ atArrival }, index) => (atArrival ? index : []))
  expect(late).toEqual([7, 27])
})

test('a VBO file has minutes, west positive, and the line', () => {
  const lines = fileOf(vboWriter(head)).split('\r\n')
  expect(lines[0]).toBe('File created on 23/11/2026 @ 23:59:57')
  // 50.98887 degrees are 3059.3322 minutes.
  expect(lines).toContain('Start -00315.306000 +03059.332200 -00315.330000 +03059.338200')
  expect(lines).toContain('Heat 1  wet  <&> "final"')
  const [first] = lines.slice(lines.indexOf('[data]') + 1)
  expect(first).toBe('000 235957.250 -02007.407346 +00315.074070 100.000 271.00 +00000.00 003.50')
})

test('a RaceChrono file begins as its readers test it', () => {
  const [first, second, ...lines] = fileOf(raceChronoWriter(head, quoted)).split('\r\n')
  expect(first).toBe('This file is created using RaceChrono CSV format by Pitboard')
  expect(second).toBe('Format,3')
  const header = lines.indexOf('')
  expect(lines[header + 1]).toMatch(
    /^timestamp,fragment_id,lap_number,elapsed_time,distance_traveled,accuracy,/,
  )
  const cells = lines.slice(header + 4, -1).map(line => line.split(','))
  // The gap begins a fragment, and is not driven distance.
  expect(cells.map(([, fragment]) => fragment)).toEqual(
    written.map((_, index) => (index < 20 ? '0' : '1')),
  )
  expect(cells[20]?.[4]).toBe(cells[19]?.[4])
  expect(cells[9]?.[2]).toBe('')
  expect(cells[10]?.[2]).toBe('1')
})

test('a GPX file has the structure of the GPX 1.1 schema', () => {
  const text = fileOf(gpxWriter(head))
  expect(checkGpx(text, head.title)).toEqual([20, 20])
  const extensions =
    /<extensions><tpx:TrackPointExtension><tpx:speed>.+<tpx:course>.+<pit:accuracy>/g
  expect(text.match(extensions)).toHaveLength(written.length)
})

test('places of a GPX file have no exponent, and no longitude of +180', () => {
  const at = (latitude: number, longitude: number) => gpxPlace({ latitude, longitude })
  expect(at(1e-7, -1e-7)).toBe('lat="0.0000001" lon="-0.0000001"')
  expect(at(-33.5, 179.99999999)).toBe('lat="-33.5000000" lon="-180.0000000"')
})

test('another program’s parser reads the track, its segments and times of a GPX file', () => {
  const document = new DOMParser().parseFromString(fileOf(gpxWriter(head)), 'text/xml')
  const { features } = gpxToGeoJson(document as unknown as Document)
  expect(features).toHaveLength(1)
  const { geometry, properties } = features[0]!
  expect(properties).toMatchObject({ _gpxType: 'trk', name: head.title })
  if (geometry?.type !== 'MultiLineString') throw new Error(`A ${geometry?.type}`)
  expect(geometry.coordinates.map((part: unknown[]) => part.length)).toEqual([20, 20])
  for (const [index, [longitude, latitude]] of geometry.coordinates.flat().entries()) {
    expect(longitude).toBeCloseTo(written[index]!.longitude, 7)
    expect(latitude).toBeCloseTo(written[index]!.latitude, 7)
  }
  const { times } = properties!.coordinateProperties as { times: string[][] }
  expect(times.flat().map(time => Date.parse(time))).toEqual(written.map(({ at }) => at))
})
