import { degrees, type RecordingWriter } from './recordingWriter.ts'

/** Writes a plain CSV file whose column names contain the units. */
export function csvWriter(): RecordingWriter {
  return {
    head: () => 'utc_s,time,latitude_deg,longitude_deg,speed_kmh,heading_deg,accuracy_m,lap\r\n',
    rows: fixes =>
      fixes
        .map(({ at, latitude, longitude, speedKmh, headingDeg, accuracyM, lap }) => {
          const place = `${degrees(latitude)},${degrees(longitude)}`
          const values = [speedKmh, headingDeg, accuracyM, lap].map(value => value ?? '')
          return `${(at / 1000).toFixed(3)},${new Date(at).toISOString()},${place},${values.join(',')}\r\n`
        })
        .join(''),
    foot: () => '',
  }
}
