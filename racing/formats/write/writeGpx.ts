import { mpsPerKmh } from '../speedUnits.ts'
import { gpxPlace, gpxText } from './gpxText.ts'
import {
  partGapMs,
  type RecordingHead,
  type RecordingWriter,
  type WrittenFix,
} from './recordingWriter.ts'

const gpx = 'http://www.topografix.com/GPX/1/1'
/** GPX 1.1 has no element for speed. Most programs read this extension. */
const points = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2'

/** Our own namespace: no common extension has the accuracy of a position, from which the ± of laps follows. */
const own = 'urn:pitboard:gpx:1'

/** Writes a GPX 1.1 file with one track, in which each gap begins a new segment. */
export function gpxWriter({ title, startedAt }: RecordingHead): RecordingWriter {
  let lastAt: number | null = null
  return {
    head: () => {
      const name = `<name>${gpxText(title)}</name>`
      return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
        `<gpx version="1.1" creator="Pitboard" xmlns="${gpx}" xmlns:tpx="${points}" xmlns:pit="${own}">\n` +
        `<metadata>${name}<time>${new Date(startedAt).toISOString()}</time></metadata>\n` +
        `<trk>${name}<trkseg>\n`
      )
    },
    rows: fixes =>
      fixes
        .map(fix => {
          const isNewPart = lastAt !== null && fix.at - lastAt > partGapMs
          lastAt = fix.at
          return `${isNewPart ? '</trkseg><trkseg>\n' : ''}${pointOf(fix)}`
        })
        .join(''),
    foot: () => '</trkseg></trk>\n</gpx>\n',
  }
}

function pointOf(fix: WrittenFix): string {
  const { at, speedKmh, headingDeg, accuracyM } = fix
  const values = [
    speedKmh === null ? '' : `<tpx:speed>${(speedKmh * mpsPerKmh).toFixed(3)}</tpx:speed>`,
    headingDeg === null ? '' : `<tpx:course>${headingDeg}</tpx:course>`,
  ].join('')
  const extensions = [
    values && `<tpx:TrackPointExtension>${values}</tpx:TrackPointExtension>`,
    accuracyM === null ? '' : `<pit:accuracy>${accuracyM}</pit:accuracy>`,
  ].join('')
  const more = extensions && `<extensions>${extensions}</extensions>`
  const time = `<time>${new Date(at).toISOString()}</time>`
  return `<trkpt ${gpxPlace(fix)}>${time}${more}</trkpt>\n`
}
