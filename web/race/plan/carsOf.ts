import type { Car } from '#contract/roster.ts'
import type { Draft } from './draft.ts'

/** Returns the cars of a race in the order of the team: without a choice every car that is not archived. */
export function carsOf({ carIds }: Pick<Draft, 'carIds'>, cars: readonly Car[]): Car[] {
  return carIds.length === 0
    ? cars.filter(({ archived }) => !archived)
    : cars.filter(({ id }) => carIds.includes(id))
}
