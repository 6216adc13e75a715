import { degrees, type RecordingWriter } from './recordingWriter.ts'

/** Writes a plain CSV file whose column names contain the units. `quoted` makes a cell of typed text. */
export function csvWriter(quoted = quotedText): RecordingWriter {
  return {
    head: () =>
      'utc_s,time,latitude_deg,longitude_deg,speed_kmh,heading_deg,accuracy_m,lap,driver,at_arrival\r\n',
    rows: fixes =>
      fixes
        .map(
          ({
            at,
            latitude,
            longitude,
            speedKmh,
            headingDeg,
            accuracyM,
            lap,
            driver,
            atArrival,
          }) => {
            const place = `${degrees(latitude)},${degrees(longitude)}`
            const values = [speedKmh, headingDeg, accuracyM, lap].map(value => value ?? '')
            return `${(at / 1000).toFixed(3)},${new Date(at).toISOString()},${place},${values.join(',')},${driver ? quoted(driver) : ''},${atArrival ? 1 : ''}\r\n`
          },
        )
        .join(''),
    foot: () => '',
  }
}

function quotedText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
