import { expect, test } from 'vitest'
import { readRecording } from './recording.ts'

const at = (second: number) => new Date(Date.UTC(2026, 5, 20, 13, 0, second)).toISOString()
const seconds = [0, 1, 2, 3]
const north = (second: number) => (50 + second / 1e4).toFixed(7)

/** Expects a fix each second, northwards. */
function expectDrive(text: string, speedMps: number | null = null) {
  expect(readRecording(text)).toMatchObject(
    seconds.map(second => ({
      atMs: Date.parse(at(second)),
      latitude: Number(north(second)),
      longitude: 5.25,
      speedMps,
    })),
  )
}

test('a TCX file is read, with the speed in its extensions', () => {
  const points = seconds.map(
    second =>
      `<Trackpoint><Time>${at(second)}</Time><Position><LatitudeDegrees>${north(second)}</LatitudeDegrees><LongitudeDegrees>5.25</LongitudeDegrees></Position><HeartRateBpm><Value>120</Value></HeartRateBpm><Extensions><ns3:TPX><ns3:Speed>12.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>`,
  )
  const text = `<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" xmlns:ns3="x"><Activities><Activity Sport="Other"><Lap StartTime="${at(0)}"><Track><Trackpoint><Time>${at(0)}</Time></Trackpoint>${points.join('')}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`
  expectDrive(text, 12.5)
})

const whens = seconds.map(second => `<when>${at(second)}</when>`)
const coords = seconds.map(second => `<gx:coord>5.25 ${north(second)} 20</gx:coord>`)
const kml = (content: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>${content}</Document></kml>`

test.each([
  ['alternate', whens.flatMap((when, index) => [when, coords[index]]).join('')],
  ['follow each other', [...whens, ...coords].join('')],
])('a KML track is read whose times and positions %s', (_, content) => {
  expectDrive(kml(`<Placemark><gx:Track>${content}</gx:Track></Placemark>`))
})

test('a KML track has speeds in a list of its own', () => {
  const values = seconds.map(() => '<gx:value>36</gx:value>').join('')
  const list = `<ExtendedData><SchemaData><gx:SimpleArrayData name="speed_kmh">${values}</gx:SimpleArrayData></SchemaData></ExtendedData>`
  const text = kml(
    `<Placemark><gx:MultiTrack><gx:Track>${whens.join('')}${coords.join('')}${list}</gx:Track></gx:MultiTrack></Placemark>`,
  )
  expectDrive(text, 10)
})

test('KML points with a time stamp are read, and marks without one left out', () => {
  const points = seconds.map(
    second =>
      `<Placemark><TimeStamp><when>${at(second)}</when></TimeStamp><Point><coordinates>5.25,${north(second)},20</coordinates></Point></Placemark>`,
  )
  const mark =
    '<Placemark><name>Pits</name><Point><coordinates>5,50</coordinates></Point></Placemark>'
  expectDrive(kml(mark + points.join('')))
})

test('a KML track that was cut off is read up to its end', () => {
  const text = kml(`<Placemark><gx:Track>${whens.join('')}${coords.join('')}`)
  expectDrive(text.slice(0, text.lastIndexOf('</Document>')))
})

test.each(['+02', '+0200', ' +02:00', ' UTC+2', ' GMT+02:00'])(
  'a GPX file may have the zone %s',
  zone => {
    const local = (second: number) => at(second).replace('T13', 'T15').replace('Z', zone)
    const points = seconds.map(
      second => `<trkpt lat="${north(second)}" lon="5.25"><time>${local(second)}</time></trkpt>`,
    )
    expectDrive(`<gpx><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`)
  },
)
