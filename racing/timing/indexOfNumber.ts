/**
 * Returns the index of the car of this number; -1 if there is none. Of several, as feeds register them at times, it is the
 * one that has completed a lap; -1 if several have: which one is meant is not known.
 */
export function indexOfNumber(
  cars: readonly { readonly number: string | null; readonly laps: number | null }[],
  number: string | null,
): number {
  const found = cars.flatMap((car, index) =>
    number !== null && car.number === number ? [{ index, laps: car.laps ?? 0 }] : [],
  )
  const driven = found.filter(({ laps }) => laps > 0)
  const [only, ...others] = found.length > 1 ? driven : found
  return only && others.length === 0 ? only.index : -1
}
