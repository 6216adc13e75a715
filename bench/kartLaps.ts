import type { CDPSession } from '@playwright/test'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { driveRace } from '#testing/races.ts'

/** Time in which a phone drives two laps of the kart track and learns it. */
export const learningS = 80

/**
 * Emulates a phone that drives laps on a kart track of 1 km, unlike any circuit of the app: the page receives a reading
 * each second. Call the result to stop.
 */
export function driveKartLaps(devtools: CDPSession): () => void {
  const fixes = kartLaps()
  let next = 0
  const receiver = setInterval(() => {
    const fix = fixes[next++ % fixes.length]
    if (!fix) return
    const { latitude, longitude, speedMps } = fix
    const reading = { latitude, longitude, accuracy: 4, speed: speedMps ?? 0 }
    // The page closes before the last reading.
    devtools.send('Emulation.setGeolocationOverride', reading).catch(() => undefined)
  }, 1000)
  return () => clearInterval(receiver)
}

function kartLaps() {
  const from = planeAround(zolder.startFinish)
  const to = planeAround({ latitude: 45.6, longitude: 9.2 })
  const outline = zolder.outline.map(position => {
    const { eastM, northM } = from.toPoint(position)
    return to.toPosition({ eastM: eastM / 4, northM: northM / 4 })
  })
  const laps = Array.from({ length: 10 }, (_, lap) => ({ pace: 0.9 + 0.03 * Math.sin(lap) }))
  return driveRace({ outline, laps, whiteM: 1, driftM: 1, startShare: 0.6 }).fixes
}
