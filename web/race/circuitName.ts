import type { ListedCircuit } from '#contract/circuits.ts'
import { circuitsText } from '#web/text/circuits.ts'

const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' })

/** Returns the name of a circuit; without a name, the place and day at which it was learned. */
export function circuitName({ name, learned }: Pick<ListedCircuit, 'name' | 'learned'>): string {
  if (name !== null) return name
  if (!learned) return circuitsText.unnamed
  const day = dayOfYear.format(learned.at)
  return learned.near === null
    ? circuitsText.learnedOn(day)
    : circuitsText.learnedNear(learned.near, day)
}
