import type { Position } from '#contract/shared/geo.ts'
import { degrees } from './recordingWriter.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text between tags, and drops control characters, which XML 1.0 cannot contain. */
export function gpxText(text: string): string {
  return text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ').replace(/[&<>]/g, sign => entities[sign] ?? '')
}

/** Returns the attributes of a place. The schema of GPX 1.1 allows no exponent, and no longitude of +180. */
export function gpxPlace({ latitude, longitude }: Position): string {
  const lon = degrees(longitude)
  return `lat="${degrees(latitude)}" lon="${lon === '180.0000000' ? `-${lon}` : lon}"`
}
