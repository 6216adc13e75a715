import type { Fix } from '#contract/positions.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { trackOf } from '#contract/shared/track.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { type DrivenRace, driveRace, type Race, type RaceLap } from '../races.ts'

const lapM = trackOf(flyingLap(zolder.outline)).lengthM

/** The pit lane of the race, beside the line. */
export const zolderPits = {
  inM: lapM - 250,
  outM: lapM + 250,
  boxM: lapM - 40,
  besideM: 20,
  limitMps: 60 / 3.6,
}

/** Drives laps around Zolder with visits to the pits, from half a lap before the line. */
export function pitRace(laps: readonly RaceLap[], more: Partial<Race> = {}): DrivenRace {
  return driveRace({ outline: zolder.outline, laps, pits: zolderPits, startShare: 0.5, ...more })
}

/** Returns the fixes of a race as a phone reports them, from a time of the server's clock on. */
export function reportedFixes({ fixes }: DrivenRace, startMs: number): Fix[] {
  return fixes.map(({ atMs, latitude, longitude, speedMps, accuracyM }) => ({
    at: Math.round(startMs + atMs),
    latitude,
    longitude,
    speedKmh: Math.round((speedMps ?? 0) * kmhPerMps),
    accuracyM,
  }))
}
