import type { LapKind } from '#contract/shared/lapKinds.ts'

interface TimedLap {
  readonly timeMs: number
  readonly kind: LapKind
}

/** The last whole lap before the car parks is already part of its way in, if it is slower than usual by this share. */
const slowingShare = 0.05
const leastUsualLaps = 3

/**
 * Returns the laps of a drive that has ended. A car that parks has slowed down before: its last whole lap is an in lap
 * then, and not compared.
 */
export function finishedLaps<T extends TimedLap>(laps: readonly T[]): readonly T[] {
  const [slowing, rest] = laps.slice(-2)
  // A car that left the pits shortly before the line still has most of a lap to go to them.
  if (laps[1]?.kind === 'out') return laps
  const usual = laps.slice(0, -2).filter(({ kind }) => kind === 'full')
  if (slowing?.kind !== 'full' || rest?.kind !== 'in' || usual.length < leastUsualLaps) return laps
  const times = usual.map(({ timeMs }) => timeMs).sort((a, b) => a - b)
  const usualMs = times[(times.length - 1) >> 1] ?? 0
  if (slowing.timeMs <= (1 + slowingShare) * usualMs) return laps
  return [...laps.slice(0, -2), { ...slowing, kind: 'in' }, rest]
}
