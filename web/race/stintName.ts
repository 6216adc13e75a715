import type { Stint } from '#contract/carRaces.ts'
import { stintsText } from '#web/text/stints.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { timeOfDay } from './timeOfDay.ts'

/** Returns the name of a stint after the word "stint": its number of `stintNumbers`, or outside of the race its start. */
export function stintName({ id, from }: Stint, numbers: ReadonlyMap<string, number>): string {
  const number = numbers.get(id)
  return number === undefined ? stintsText.at(timeOfDay(from)) : wholeNumber(number)
}
