import { dayMs } from '#contract/shared/durations.ts'
import { distanceM } from '#contract/shared/geo.ts'
import type { RecordedFix } from './recordedFix.ts'

/** Spreadsheets count days from this one. */
const firstSheetDayMs = Date.UTC(1899, 11, 30)

/** Milliseconds in the units of times: seconds, ms, µs, ns. */
const factors = [1000, 1, 0.001, 1e-6] as const

/** Programs of Windows count ticks of 100 ns from the year 1. */
const msPerTick = 1e-4
const firstTickMs = -62_135_596_800_000

/** Mean speeds of a car on a circuit, in metres a second. Units are a thousand apart, so at most one fits. */
const slowestMeanMps = 0.5
const fastestMeanMps = 200

/** Times of a clock between these are dates. */
const earliestMs = Date.UTC(1990, 0, 1)
const latestMs = Date.UTC(2100, 0, 1)

/** Longer steps are gaps or wrong positions. */
const longestStepM = 500

/** Fewer metres are a receiver's noise. */
const leastWayM = 100

/** A step longer than this many usual ones is a pause, or a clock that was set. */
const longestPause = 100

/** Only this many fixes decide on the unit. */
const mostFixes = 20_000

/**
 * Converts the times of fixes, which are numbers as the file has them, to milliseconds. The unit is `declared` (in
 * ms), unless the car would be impossibly slow or fast with it: then it is the one with which it drives, or else the
 * one with which the times are dates. Times such as 130000.5 are recognised as hours, minutes and seconds, and ticks
 * and days of a spreadsheet as dates. `more` is converted like the fixes.
 */
export function convertTimes(
  fixes: readonly RecordedFix[],
  declared: number | null,
  more: RecordedFix | null = null,
) {
  const toMs = conversionOf(fixes, declared)
  for (const fix of fixes) fix.atMs = toMs(fix.atMs)
  if (more) more.atMs = toMs(more.atMs)
}

function conversionOf(
  fixes: readonly RecordedFix[],
  declared: number | null,
): (value: number) => number {
  if (isClock(fixes)) return clockMs
  if (isSheetDate(fixes, declared)) return value => Math.round(firstSheetDayMs + value * dayMs)
  if (isTicks(fixes)) return value => firstTickMs + value * msPerTick
  const factor = unitOf(fixes, declared)
  return value => value * factor
}

/** Converts 130000.5 to milliseconds after midnight. */
export function clockMs(value: number): number {
  const hours = Math.floor(value / 10_000)
  const minutes = Math.floor(value / 100) % 100
  return Math.round((hours * 3600 + minutes * 60 + (value % 100)) * 1000)
}

/** A clock shows most of the seconds up to 59. */
const leastSeconds = 30

/** True if no seconds or minutes are above 59, although a minute passes. */
function isClock(fixes: readonly RecordedFix[]): boolean {
  const seconds = new Set<number>()
  const minutes = new Set<number>()
  for (const { atMs } of fixes) {
    if (!(atMs >= 0 && atMs < 240_000 && atMs % 100 < 60 && (atMs / 100) % 100 < 60)) return false
    seconds.add(Math.floor(atMs % 100))
    minutes.add(Math.floor(atMs / 100))
  }
  return minutes.size > 1 && seconds.size >= leastSeconds
}

function isSheetDate(fixes: readonly RecordedFix[], declared: number | null): boolean {
  if (declared !== null) return false
  return fixes.length > 0 && fixes.every(({ atMs }) => atMs > 25_000 && atMs < 75_000)
    ? isDriven(fixes, dayMs)
    : false
}

function isTicks(fixes: readonly RecordedFix[]): boolean {
  const isDate = ({ atMs }: RecordedFix) =>
    firstTickMs + atMs * msPerTick > earliestMs && firstTickMs + atMs * msPerTick < latestMs
  return fixes.length > 0 && fixes.every(isDate) && isDriven(fixes, msPerTick)
}

function unitOf(fixes: readonly RecordedFix[], declared: number | null): number {
  const candidates = declared === null ? factors : [declared, ...factors]
  const middle = fixes[fixes.length >> 1]?.atMs ?? 0
  const isDate = (factor: number) => middle * factor > earliestMs && middle * factor < latestMs
  return (
    candidates.find(factor => isDriven(fixes, factor)) ??
    candidates.find(isDate) ??
    declared ??
    1000
  )
}

/** True if the car has a possible mean speed with this unit. */
function isDriven(fixes: readonly RecordedFix[], factor: number): boolean {
  const steps = stepsOf(fixes)
  const times = steps.map(({ time }) => time).filter(time => time > 0)
  const longest = longestPause * (times.sort((a, b) => a - b)[times.length >> 1] ?? 0)
  const usual = steps.filter(({ time }) => time <= longest)
  const wayM = usual.reduce((sum, { wayM }) => sum + wayM, 0)
  const seconds = usual.reduce((sum, { time }) => sum + time, 0) * (factor / 1000)
  const mps = wayM / seconds
  return wayM >= leastWayM && mps >= slowestMeanMps && mps <= fastestMeanMps
}

function stepsOf(fixes: readonly RecordedFix[]): { wayM: number; time: number }[] {
  return fixes.slice(1, mostFixes).flatMap((to, index) => {
    const from = fixes[index] ?? to
    const wayM = distanceM(from, to)
    return wayM <= longestStepM ? { wayM, time: Math.abs(to.atMs - from.atMs) } : []
  })
}
