import type { Stint } from '#contract/carRaces.ts'
import { stintsText } from '#web/text/stints.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { timeOfDay } from './timeOfDay.ts'

/** Names a stint after the word "stint": by its number of `stintNumbers`, outside of the race by its start. */
export function stintName({ id, from }: Stint, numbers: ReadonlyMap<string, number>): string {
  const number = numbers.get(id)
  return number === undefined ? stintsText.at(timeOfDay(from)) : wholeNumber(number)
}
