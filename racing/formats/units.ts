// Units in recordings, however they are written.
import { mpsPerKmh, mpsPerKnot, mpsPerMph } from './speedUnits.ts'

/** The quantity that a column measures. */
export type Quantity = 'time' | 'speed' | 'length' | 'angle' | 'none'

/** Metres a second. */
const speedUnits: readonly [RegExp, number][] = [
  [/\bmm\/s\b|\bmmps\b/, 0.001],
  [/\bcm\/s\b|\bcmps\b/, 0.01],
  [
    /\bm\/s\b|\bmps\b|\bm s(?:-1|\^-1|⁻¹)?(?= |$)|\bms-1|\bmeters? per second|\bmetres? per second/,
    1,
  ],
  [/mph\b|\bmi(?:les)?\/h|\bmiles per hour/, mpsPerMph],
  [/k(?:m\/?|p)h\b|\bkm h\b|\bkm\/hr\b|\bkm\/u\b/, mpsPerKmh],
  [/\bkn(?:ots?)?\b|\bkts?\b/, mpsPerKnot],
  [/\bft\/s\b|\bfps\b|\bfeet per second/, 0.3048],
]

/** Milliseconds. */
const timeUnits: readonly [RegExp, number][] = [
  [/\bns\b|\bnsecs?\b|\bnano(?:s|seconds?)?\b/, 1e-6],
  [/\b[uµμ]s\b|(?:^| )[µμ]s|\busecs?\b|\bmicro(?:s|seconds?)?\b/, 0.001],
  [/\bms\b|\bmsecs?\b|\bmilli(?:s|seconds?)?\b/, 1],
  [/\bs\b|\bsecs?\b|\bseconds?\b|\bsek(?:unden)?\b/, 1000],
  [/\bmins?\b|\bminutes?\b/, 60_000],
  [/\bh\b|\bhours?\b/, 3_600_000],
]

/** Metres. */
const lengthUnits: readonly [RegExp, number][] = [
  [/\bmm\b|\bmillimet(?:er|re)s?\b/, 0.001],
  [/\bcm\b/, 0.01],
  [/\bft\b|\bfeet\b/, 0.3048],
  [/\bkm\b/, 1000],
  [/\bm\b|\bmet(?:er|re)s?\b/, 1],
]

/** Receivers of Garmin write half a circle as 2³¹. */
export const semicircleDeg = 180 / 2 ** 31

/** Degrees. */
const angleUnits: readonly [RegExp, number][] = [
  [/\bsemicircles?\b/, semicircleDeg],
  [/\brad(?:ians?)?\b/, 180 / Math.PI],
  [/\be7\b|\b(?:1e-7|10\^-7) ?deg/, 1e-7],
  [/\be6\b|\b(?:1e-6|10\^-6) ?deg/, 1e-6],
  [/\bdeg(?:rees?)?\b|°/, 1],
]

const tables: Readonly<Record<Quantity, readonly [RegExp, number][]>> = {
  time: timeUnits,
  speed: speedUnits,
  length: lengthUnits,
  angle: angleUnits,
  none: [],
}

/** Only this many letters are searched for a unit. */
const longestUnit = 200

/** Returns the factor that converts a value in the unit of a text to ms, m/s, m or degrees; null if it names none. */
export function unitFactor(quantity: Quantity, text: string): number | null {
  const plain = text.slice(0, longestUnit).toLowerCase().replaceAll('_', ' ')
  return tables[quantity].find(([sign]) => sign.test(plain))?.[1] ?? null
}

/** Returns whether a word of a column's name is a unit, as `s` in `time_s`. */
export function isUnitWord(word: string): boolean {
  return /^(?:[nuµμm]?s|[mnu]?secs?|seconds?|millis|micros|nanos|mins?|h|deg(?:rees?)?|rad|semicircles?|e[67]|mps|kmh|kph|km|mph|kn|knots?|kts?|fps|m|mm|cm|ft|feet|met(?:er|re)s?|dd|unix|gps)$/.test(
    word,
  )
}
