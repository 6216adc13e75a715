import { part } from '../text.ts'

export const recordingsText = part('recordings', {
  open: 'Import a recording',
  about:
    'Compare drives from before: VBO, GPX, NMEA, RaceChrono CSV, or CSV with utc_s, latitude_deg and longitude_deg. It becomes a session of yours. Nobody is notified.',
  file: 'File',
  name: 'Name',
  day: 'Day, if the file has none',
  cancel: 'Cancel',
  import: 'Import',
  done: 'Imported',
  positions: (count: string) => `${count} positions. The laps follow in some seconds.`,
  lapsOnly: (count: string) =>
    `${count} positions. They are older than this server stores positions: only the laps stay.`,
  known: 'This recording had been imported before.',
})

declare module '../text.ts' {
  interface Text {
    readonly recordings: typeof recordingsText
  }
}
