import type { RacingFix } from '#racing/fix.ts'
import { digits, type LoggerFile } from './loggerFile.ts'

interface Format {
  head: string
  point: (fix: RacingFix, at: string) => string
  foot: string
}

function file({ head, point, foot }: Format): LoggerFile['write'] {
  return (fixes, startMs) =>
    [head, ...fixes.map(fix => point(fix, new Date(startMs + fix.atMs).toISOString())), foot].join(
      '\n',
    )
}

const north = ({ latitude }: RacingFix) => digits(latitude, 7)
const east = ({ longitude }: RacingFix) => digits(longitude, 7)

/** Files in XML formats other than GPX. */
export const xmlFiles: readonly LoggerFile[] = [
  {
    name: 'TCX with speeds',
    write: file({
      head: '<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Other"><Lap StartTime="2026-06-20T13:00:00Z"><Track>',
      point: (fix, at) =>
        `<Trackpoint><Time>${at}</Time><Position><LatitudeDegrees>${north(fix)}</LatitudeDegrees><LongitudeDegrees>${east(fix)}</LongitudeDegrees></Position><Extensions><TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Speed>${digits(fix.speedMps ?? 0, 3)}</Speed></TPX></Extensions></Trackpoint>`,
      foot: '</Track></Lap></Activity></Activities></TrainingCenterDatabase>',
    }),
  },
  {
    name: 'KML with a track',
    hasSpeed: false,
    write: file({
      head: '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track>',
      point: (fix, at) => `<when>${at}</when><gx:coord>${east(fix)} ${north(fix)} 20</gx:coord>`,
      foot: '</gx:Track></Placemark></kml>',
    }),
  },
  {
    name: 'KML with a point for each position',
    hasSpeed: false,
    write: file({
      head: '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>',
      point: (fix, at) =>
        `<Placemark><TimeStamp><when>${at}</when></TimeStamp><Point><coordinates>${east(fix)},${north(fix)},20</coordinates></Point></Placemark>`,
      foot: '</Document></kml>',
    }),
  },
]
