import type { RacingFix } from '#racing/fix.ts'
import { driveRace, type RaceLap } from '../../races.ts'
import { type SimulatedCircuit, zolderCircuit } from './simulatedCircuits.ts'

/** The drive of one car from a line crossing to another one, with one pit stop. Repeated for the whole race. */
export interface DriveCycle {
  /** One reading a second, by the time since the cycle began. */
  readonly fixes: readonly RacingFix[]
  readonly lengthMs: number
  /** The duration of the stop in the box. */
  readonly stop: { readonly fromMs: number; readonly untilMs: number }
  readonly visit: { readonly startedAtMs: number; readonly endedAtMs: number }
}

/** Drives some laps. The last but one ends in the pits. */
export function driveCycle(
  car: number,
  { laps, stopS, boxM }: { laps: number; stopS: number; boxM?: number },
  { outline, pits }: Pick<SimulatedCircuit, 'outline' | 'pits'> = zolderCircuit,
): DriveCycle {
  const driven = Array.from({ length: laps }, (_, lap): RaceLap => {
    const pace = 0.9 + 0.04 * Math.sin(lap + car)
    if (lap !== laps - 2) return { pace }
    return { pace, pitStopS: stopS, ...(boxM !== undefined && { boxM }) }
  })
  const race = { outline, laps: driven, pits, whiteM: 1.5, seed: car }
  const { fixes, visits } = driveRace({ ...race, accuracyM: 4 })
  const [visit] = visits
  if (!visit?.stop) throw new Error('The car made no stop.')
  return { fixes, lengthMs: fixes.length * 1000, stop: visit.stop, visit }
}

/** Returns the receiver's reading this long after the start of the drive. */
export function readingAt({ fixes, lengthMs }: DriveCycle, sinceStartMs: number): RacingFix {
  const inCycleMs = sinceStartMs % lengthMs
  const fix = fixes[Math.min(fixes.length - 1, Math.floor(inCycleMs / 1000))]
  if (!fix) throw new Error('The drive has no fixes.')
  return fix
}
