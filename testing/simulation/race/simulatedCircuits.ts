import { zolder } from '#contract/shared/circuits/zolder.ts'
import { planeAround } from '#contract/shared/geo.ts'
import { trackOf } from '#contract/shared/track.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import { flyingLap } from '#racing/practice/speedProfile.ts'
import { zolderPits } from '../../live/pitRace.ts'
import type { RacePits } from '../../races.ts'

/** A circuit on which simulated cars drive, with its pit lane. */
export interface SimulatedCircuit extends GivenCircuit {
  readonly pits: RacePits
  /** No lap is faster. */
  readonly fastestLapMs: number
}

export const zolderCircuit: SimulatedCircuit = {
  id: 'zolder',
  outline: zolder.outline,
  line: zolder.startFinish,
  pits: zolderPits,
  fastestLapMs: 95_000,
}

/** A kart track with laps of half a minute: a small copy of Zolder. */
export const kartTrack: SimulatedCircuit = (() => {
  const plane = planeAround(zolder.startFinish)
  const outline = zolder.outline.map(position => {
    const { eastM, northM } = plane.toPoint(position)
    return plane.toPosition({ eastM: eastM / 7, northM: northM / 7 })
  })
  const lap = flyingLap(outline)
  const { lengthM } = trackOf(lap)
  return {
    id: 'kart-track',
    outline,
    line: zolder.startFinish,
    pits: {
      inM: lengthM - 70,
      outM: lengthM + 70,
      boxM: lengthM - 30,
      besideM: 12,
      limitMps: 40 / 3.6,
    },
    fastestLapMs: Math.floor(1000 * (lap.at(-1)?.atS ?? 0)),
  }
})()
