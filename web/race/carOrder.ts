import type { Car } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'

/**
 * Sorts sessions, or what has one, as the team sorts its cars, never by the race: the same order on every screen. Those
 * without a car follow in the order that they have.
 */
export function inCarOrder<T>(
  all: readonly T[],
  cars: readonly Pick<Car, 'id'>[],
  carOf: (each: T) => Session['car'],
): T[] {
  const place = (each: T) => {
    const index = cars.findIndex(({ id }) => id === carOf(each)?.id)
    return index === -1 ? cars.length : index
  }
  return all.toSorted((a, b) => place(a) - place(b))
}
