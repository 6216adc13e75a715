import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { circuitFrom } from '#racing/circuits/outline.ts'
import { lapsOf as timed } from '#racing/laps/lapTimer.ts'
import { loopOf, sampleAt } from '#testing/drives.ts'
import { demoCars, lapsOf } from './race.ts'

test.each(demoCars.map((car, index) => ({ car, seed: index + 1 })))(
  'car $car.number of the demo drives whole laps, and stops in the pits',
  ({ car, seed }) => {
    const drive = loopOf(lapsOf(car, seed).drive)
    const fixes = Array.from({ length: 900 }, (_, second) => ({
      ...sampleAt(drive, second * 1000),
      accuracyM: 4,
      headingDeg: null,
    }))
    const { laps, pitVisits } = timed(fixes, circuitFrom(zolder.outline, zolder.startFinish))
    // The last lap is cut off by the end of the fixes.
    const kinds = laps.slice(0, -1).map(({ kind }) => kind)
    expect(kinds.slice(0, 3)).toEqual(['out', 'full', 'full'])
    expect(kinds).not.toContain('incomplete')
    expect(pitVisits.length).toBeGreaterThan(0)
  },
)
