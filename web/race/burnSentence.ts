import type { Fill } from '#contract/fills.ts'
import type { Lap } from '#contract/laps.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { burnOf } from '#racing/race/fuel.ts'
import { fuelText } from '#web/text/fuel.ts'

const perLap = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Returns a sentence on the burn, including an entry that is not stored yet. */
export function burnSentence(
  {
    car,
    fills,
    pitVisits: visits,
    earlierUses,
    earlierFuel,
    earlierEnd,
  }: Pick<
    RaceOfSession,
    'car' | 'fills' | 'pitVisits' | 'earlierUses' | 'earlierFuel' | 'earlierEnd'
  >,
  laps: readonly Lap[],
  entry: Fill,
): string {
  const tank = car ?? { tankL: null, reserveL: null, burnL: null }
  const others = fills.filter(({ id }) => id !== entry.id)
  const all = [...others, entry].toSorted((a, b) => a.at - b.at)
  const driven = { laps, visits, earlierUses, earlierFuel, earlierEnd }
  const before = burnOf(tank, { fills: others, ...driven })
  const after = burnOf(tank, { fills: all, ...driven })
  if (after && (!before || after.fills > before.fills))
    return fuelText.burnBecomes(
      perLap.format(after.greenL),
      perLap.format(after.plusMinusL),
      after.fills,
    )
  if (after) return fuelText.burnStays(perLap.format(after.greenL), perLap.format(after.plusMinusL))
  const isFirst = earlierFuel?.isAssumed !== false && !others.some(({ kind }) => kind !== 'part')
  return entry.kind === 'full' && isFirst ? fuelText.noStart : fuelText.noBurn
}
