import type { RacingFix } from '#racing/fix.ts'
import { digits, kmhPerMps, type LoggerFile } from './loggerFile.ts'

type Point = (fix: RacingFix, at: Date) => string

interface Variant {
  head?: string
  point: Point
  /** Written between points, before the one with this index. */
  between?: (index: number) => string
  foot?: string
}

const head11 = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
<metadata><time>2026-06-20T14:00:00Z</time></metadata>
<wpt lat="50.99" lon="5.25"><time>2026-06-20T13:00:00Z</time><name>Pits</name></wpt>
<trk><name>Drive</name><trkseg>`

function file({
  head = head11,
  point,
  between = () => '',
  foot = '</trkseg></trk></gpx>',
}: Variant): LoggerFile['write'] {
  return (fixes, startMs) =>
    [
      head,
      ...fixes.map(
        (fix, index) =>
          `${between(index)}<trkpt lat="${digits(fix.latitude, 7)}" lon="${digits(fix.longitude, 7)}">${point(fix, new Date(startMs + fix.atMs))}</trkpt>`,
      ),
      foot,
    ].join('\n')
}

const speed = ({ speedMps }: RacingFix, perMps = 1) => digits((speedMps ?? 0) * perMps, 3)
const zulu: Point = (_, at) => `<ele>20</ele><time>${at.toISOString()}</time>`

function offset(at: Date, hours: number): string {
  const local = new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, -1)
  return `${local}+0${hours}:00`
}

export const gpxFiles: readonly LoggerFile[] = [
  {
    name: 'GPX 1.0 with speed',
    write: file({
      head: '<?xml version="1.0"?><gpx version="1.0" creator="x" xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg>',
      point: (fix, at) =>
        `${zulu(fix, at)}<course>0</course><speed>${speed(fix)}</speed><fix>3d</fix>`,
    }),
  },
  { name: 'GPX 1.1 without speed', hasSpeed: false, write: file({ point: zulu }) },
  {
    name: 'GPX with the speed of Garmin',
    write: file({
      point: (fix, at) =>
        `${zulu(fix, at)}<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>${speed(fix)}</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions>`,
    }),
  },
  {
    name: 'GPX with a speed in km/h',
    write: file({
      point: (fix, at) =>
        `${zulu(fix, at)}<extensions><speed>${speed(fix, kmhPerMps)}</speed></extensions>`,
    }),
  },
  {
    name: 'GPX with the offset of a time zone',
    write: file({
      point: (fix, at) => `<time>${offset(at, 2)}</time><speed>${speed(fix)}</speed>`,
    }),
  },
  {
    name: 'GPX without a time zone',
    write: file({
      point: (fix, at) =>
        `<time>${at.toISOString().slice(0, -1)}</time><speed>${speed(fix)}</speed>`,
    }),
  },
  {
    name: 'GPX in several tracks and segments',
    write: file({
      point: (fix, at) => `${zulu(fix, at)}<speed>${speed(fix)}</speed>`,
      between: index =>
        index % 100 === 99
          ? index % 200 === 99
            ? '</trkseg><trkseg>'
            : '</trkseg></trk><trk><trkseg>'
          : '',
    }),
  },
  {
    name: 'GPX that ends in the middle of a point',
    write: file({
      point: (fix, at) => `${zulu(fix, at)}<speed>${speed(fix)}</speed>`,
      foot: '<trkpt lat="50.9" lon="5.2"><time>2026-06-20T1',
    }),
  },
  {
    name: 'GPX with a byte order mark and prefixed names',
    write: (fixes, startMs) =>
      `\uFEFF${file({
        point: (fix, at) => `${zulu(fix, at)}<speed>${speed(fix)}</speed>`,
      })(fixes, startMs)
        .replace('xmlns=', 'xmlns:g=')
        .replaceAll(
          /<(\/?)(gpx|metadata|trk|trkseg|trkpt|wpt|time|ele|name|speed)(?=[ >])/g,
          '<$1g:$2',
        )}`,
  },
  {
    name: 'GPX with times in CDATA sections',
    write: file({
      point: (fix, at) =>
        `<time><![CDATA[${at.toISOString()}]]></time><speed>${speed(fix)}</speed>`,
    }),
  },
  {
    name: 'GPX with another time in the extensions',
    write: file({
      point: (fix, at) =>
        `${zulu(fix, at)}<extensions><lap><time>95.432</time></lap><time>n/a</time><speed>${speed(fix)}</speed></extensions>`,
    }),
  },
]
