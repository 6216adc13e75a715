import type { Fill } from '#contract/fills.ts'
import { burnOf } from '#racing/race/fuel.ts'
import { fuelText } from '#web/text/fuel.ts'
import type { CarRace } from './carRace.ts'

const perLap = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Returns a sentence on the burn, including an entry that is not stored yet. */
export function burnSentence(race: CarRace, entry: Fill): string {
  const others = race.fills.filter(({ id }) => id !== entry.id)
  const burnWith = (fills: Fill[]) => burnOf({ ...race, fills })
  const before = burnWith(others)
  const after = burnWith([...others, entry].toSorted((a, b) => a.at - b.at))
  if (!after) {
    const isLevelKnown = others.some(({ kind }) => kind !== 'part')
    return entry.kind === 'full' && !isLevelKnown ? fuelText.noStart : fuelText.noBurn
  }
  const [greenL, plusMinusL] = [perLap.format(after.greenL), perLap.format(after.plusMinusL)]
  const isLearned = after.fills > (before?.fills ?? -1)
  return isLearned
    ? fuelText.burnBecomes(greenL, plusMinusL, after.fills)
    : fuelText.burnStays(greenL, plusMinusL)
}
