import type { Fill } from '#contract/fills.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { burnOf, fuelOf } from '#racing/race/fuel.ts'
import { fuelText } from '#web/text/fuel.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import type { CarRace } from './carRace.ts'
import { pitInOf } from './pitIn.ts'

const perLap = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Returns a sentence on what follows from an entry that is not stored yet; empty if nothing is known. */
export function fillEffect(race: CarRace, entry: Fill, nowMs: number): string {
  const others = race.fills.filter(({ id }) => id !== entry.id)
  const fills = [...others, entry].toSorted((a, b) => a.at - b.at)
  const before = { ...race, fills: others }
  const after = { ...race, fills }
  return entry.kind === 'full'
    ? fuelText.full(burnSentence(before, after))
    : partSentence(after, entry, nowMs)
}

function burnSentence(before: CarRace, after: CarRace): string {
  const burn = burnOf(after)
  if (!burn) {
    const isLevelKnown = before.fills.some(({ kind }) => kind !== 'part')
    return isLevelKnown ? fuelText.noBurn : fuelText.noStart
  }
  const [greenL, plusMinusL] = [perLap.format(burn.greenL), perLap.format(burn.plusMinusL)]
  return burn.fills > (burnOf(before)?.fills ?? -1)
    ? fuelText.burnBecomes(greenL, plusMinusL, burn.fills)
    : fuelText.burnStays(greenL, plusMinusL)
}

function partSentence(after: CarRace, { at }: Fill, nowMs: number): string {
  const filled = fuelOf(after, at + 1)
  if (!filled) return ''
  const holds = fuelText.partHolds(wholeNumber(filled.leftL))
  // The plan follows the fuel.
  const { value, unit, reason } = pitInOf(carStrategy({ ...after, plan: null }, nowMs))
  if (unit === null || reason === null) return holds
  return `${holds} ${fuelText.pitInBecomes(`${value} ${unit}`, reason)}`
}
