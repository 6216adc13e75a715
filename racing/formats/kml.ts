import type { ElementReader } from './elementReader.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { type Point, PointFixes, type PointRole, pointRole } from './trackPoints.ts'

/** A list of values of a `gx:Track`, one for each of its points. */
interface Values {
  readonly role: PointRole
  readonly factor: number
  readonly texts: string[]
}

/**
 * Reads the tracks (`gx:Track`) of a KML file, and its points with a time stamp. Lines have no times: a file with
 * nothing else is refused.
 */
export class KmlReader implements ElementReader {
  readonly #read = new PointFixes('KML')
  #hasLine = false
  #isInTrack = false
  #isInPoint = false
  #times: string[] = []
  #places: string[] = []
  #values: Values[] = []
  #array: Values | null = null
  /** Time and position of a placemark. */
  #when: string | null = null
  #place: string | null = null

  get hasPoints(): boolean {
    return this.#read.points > 0 || this.#places.length > 0
  }

  open(name: string, attributes: Readonly<Record<string, string>>) {
    if (name === 'track') this.#startTrack()
    else if (name === 'placemark') this.#when = this.#place = null
    else if (name === 'point') this.#isInPoint = true
    else if (name === 'linestring') this.#hasLine = true
    else if (name === 'simplearraydata') {
      const known = pointRole(attributes.name ?? '')
      this.#array = known && { ...known, texts: [] }
      if (this.#array) this.#values.push(this.#array)
    }
  }

  close(name: string, text: string) {
    if (name === 'when') this.#addTime(text)
    else if (name === 'coord') this.#places.push(text)
    else if (name === 'value') this.#array?.texts.push(text)
    else if (name === 'simplearraydata') this.#array = null
    else if (name === 'coordinates' && this.#isInPoint) this.#place = text.replaceAll(',', ' ')
    else if (name === 'point') this.#isInPoint = false
    else if (name === 'track') this.#endTrack()
    else if (name === 'placemark') this.#endPlacemark()
  }

  finish(): RecordedFix[] {
    this.#endTrack()
    this.#read.requireTimes()
    if (this.#read.points > 0) return this.#read.fixes
    throw new RecordingRefused(
      this.#hasLine
        ? 'The line in the KML file has no times, so laps cannot be timed. Export the recording as a KML track (gx:Track) with times, or as GPX or CSV.'
        : 'The KML file has no track. Export the recording as GPX or CSV.',
      { lacksTimes: this.#hasLine },
    )
  }

  #addTime(text: string) {
    if (this.#isInTrack) this.#times.push(text)
    else this.#when = text
  }

  #startTrack() {
    this.#isInTrack = true
    this.#times = []
    this.#places = []
    this.#values = []
  }

  /** Each time belongs to the position with the same index, whether they alternate or not. */
  #endTrack() {
    for (const [index, place] of this.#places.entries()) {
      const point = pointAt(place, this.#times[index])
      for (const { role, factor, texts } of this.#values) {
        const text = texts[index]
        if (text !== undefined) point[role] = { text, factor, depth: 1 }
      }
      this.#read.add(point)
    }
    this.#isInTrack = false
    this.#places = []
  }

  #endPlacemark() {
    // Without a time it is a mark on the map.
    if (this.#place !== null && this.#when !== null)
      this.#read.add(pointAt(this.#place, this.#when))
  }
}

/** Coordinates are longitude, latitude and height. */
function pointAt(place: string, when: string | undefined): Point {
  const [east = '', north = ''] = place.trim().split(/\s+/)
  const value = (text: string) => ({ text, factor: 1, depth: 0 })
  return {
    latitude: value(north),
    longitude: value(east),
    ...(when !== undefined && { time: value(when) }),
  }
}
