import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { zolderPits } from '#testing/live/pitRace.ts'
import { driveRace } from '#testing/races.ts'

/** Positions a second of the drive that all cars repeat. */
const hz = 10
/** Laps of the drive, one of which leads through the pits: at any time one car in twenty is there. */
const lapsOfDrive = 14
const pitStopS = 40
/**
 * The drive begins this long after the car has stopped in its box: a stop at the start of a drive counts as a visit to
 * the pits once it lasted 20 s.
 */
const stoppedS = 22

const drive = flyingLaps()
const startedAt = Date.now()

/** Returns the fix of a car that drives around Zolder and has completed this share of the drive now; 0 is in the pits. */
export function fixAt(atMs: number, drivesFrom: number) {
  const places = Math.floor(((atMs - startedAt) * hz) / 1000 + drivesFrom * drive.length)
  const place = drive[((places % drive.length) + drive.length) % drive.length]
  return { t: 'fix', at: atMs, ...place }
}

/** Laps of Zolder from line to line, both passed at full speed, so that the first one can follow the last one. */
function flyingLaps() {
  const laps = Array.from({ length: lapsOfDrive + 2 }, (_, lap) => (lap === 2 ? { pitStopS } : {}))
  const { outline } = zolder
  const { fixes, crossingsMs, visits } = driveRace({ outline, laps, pits: zolderPits, hz })
  const [, from = 0] = crossingsMs
  const until = crossingsMs.at(-1) ?? 0
  const standingMs = (visits[0]?.stop?.fromMs ?? 0) + stoppedS * 1000
  const places = fixes.filter(({ atMs }) => atMs >= from && atMs < until)
  const first = places.findIndex(({ atMs }) => atMs >= standingMs)
  return [...places.slice(first), ...places.slice(0, first)].map(
    ({ latitude, longitude, speedMps, headingDeg }) => ({
      la: Number(latitude.toFixed(6)),
      lo: Number(longitude.toFixed(6)),
      v: Math.round((speedMps ?? 0) * kmhPerMps),
      ac: 4.2,
      h: Math.round(headingDeg ?? 0) % 360,
    }),
  )
}
