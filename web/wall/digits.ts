import { isRealCar, type Lane } from './lanes.ts'

/** The digits that choose cars, by the car, or by the lane of a session without one. */
export type Digits = ReadonlyMap<string, number>

export function carKey({ id, session }: Pick<Lane, 'id' | 'session'>): string {
  return session.car?.id ?? id
}

/**
 * Adds digits for cars that have none. A number of one digit is its own; the others get the lowest ones that no car uses,
 * in the order of the lanes. `shown` never changes: somebody has read it. The tenth car has no digit.
 * A practice car gets none here.
 */
export function withDigits(shown: Digits, lanes: readonly Pick<Lane, 'id' | 'session'>[]): Digits {
  const added = lanes.filter(lane => isRealCar(lane) && !shown.has(carKey(lane)))
  if (added.length === 0) return shown
  const digits = new Map(shown)
  const free = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const digit of shown.values()) free.delete(digit)
  const give = (lane: (typeof added)[number], digit: number | undefined) => {
    if (digit === undefined || !free.delete(digit)) return
    digits.set(carKey(lane), digit)
  }
  for (const lane of added) give(lane, Number(lane.session.car?.number))
  for (const lane of added) if (!digits.has(carKey(lane))) give(lane, [...free][0])
  return digits
}

const practiceDigit = 9

/** Returns the digit that chooses a lane; null without one. A practice car has the last digit, while no real car has it. */
export function digitOf(digits: Digits, lane: Pick<Lane, 'id' | 'session'>): number | null {
  if (isRealCar(lane)) return digits.get(carKey(lane)) ?? null
  return [...digits.values()].includes(practiceDigit) ? null : practiceDigit
}
