import type { Car } from '#contract/roster.ts'
import { isRealCar, type Lane } from '#web/message/lanes.ts'

/** The digits that choose cars, by the car, or by the lane of a session without one. */
export type Digits = ReadonlyMap<string, number>

const allDigits = [1, 2, 3, 4, 5, 6, 7, 8, 9]

function carKey({ id, session }: Pick<Lane, 'id' | 'session'>): string {
  return session.car?.id ?? id
}

/**
 * Adds digits for cars that have none. A car on two lanes, such as one of an ended race, has its digit on both. Each car
 * of the team has its own, whether it drives or not, so that all walls show the same. A car without one there, and a
 * session without a car, get the lowest that is free. `shown` never changes: somebody has read it. The tenth car has no
 * digit. A practice car gets none here. Returns `shown` itself if it adds none.
 */
export function withDigits(
  shown: Digits,
  lanes: readonly Pick<Lane, 'id' | 'session'>[],
  cars: readonly Pick<Car, 'id' | 'number' | 'archived'>[],
): Digits {
  const keys = new Set(lanes.filter(isRealCar).map(carKey))
  const added = [...keys].filter(key => !shown.has(key))
  if (added.length === 0) return shown
  const digits = new Map(shown)
  const free = new Set(allDigits)
  for (const digit of shown.values()) free.delete(digit)
  const give = (key: string, digit: number | undefined) => {
    if (digit !== undefined && free.delete(digit)) digits.set(key, digit)
  }
  const own = ownDigits(cars.filter(({ archived }) => !archived))
  for (const key of added) give(key, own.get(key))
  const ofOthers = new Set(own.values())
  for (const key of added)
    if (!digits.has(key)) give(key, [...free].find(digit => !ofOthers.has(digit)) ?? [...free][0])
  return digits.size > shown.size ? digits : shown
}

/** Returns the digit of each car: a number of one digit is its own, the others get the lowest that are left, in order. */
function ownDigits(cars: readonly Pick<Car, 'id' | 'number'>[]): Digits {
  const digits = new Map<string, number>()
  const free = new Set(allDigits)
  for (const { id, number } of cars) if (free.delete(Number(number))) digits.set(id, Number(number))
  for (const { id } of cars) {
    const [lowest] = free
    if (digits.has(id) || lowest === undefined) continue
    free.delete(lowest)
    digits.set(id, lowest)
  }
  return digits
}

const practiceDigit = 9

/** Returns the digit that chooses a lane; null without one. A practice car has the last digit, while no real car has it. */
export function digitOf(digits: Digits, lane: Pick<Lane, 'id' | 'session'>): number | null {
  if (isRealCar(lane)) return digits.get(carKey(lane)) ?? null
  return [...digits.values()].includes(practiceDigit) ? null : practiceDigit
}

/** Returns the lane that a digit chooses. */
export function laneOfDigit<T extends Pick<Lane, 'id' | 'session'>>(
  digits: Digits,
  lanes: readonly T[],
  digit: number,
): T | undefined {
  return newestOf(lanes.filter(lane => digitOf(digits, lane) === digit))
}

/** Returns the lane of the car whose number of two or more digits was just typed. */
export function laneOfNumber<T extends Pick<Lane, 'id' | 'session'>>(
  lanes: readonly T[],
  typed: string,
): T | undefined {
  const isTyped = (number = '') => number.length > 1 && typed.endsWith(number)
  return newestOf(lanes.filter(({ session }) => isTyped(session.car?.number)))
}

/** Returns the lane of the session which started last: a car may have two. */
function newestOf<T extends Pick<Lane, 'session'>>(lanes: readonly T[]): T | undefined {
  return lanes.toSorted((one, other) => other.session.startedAt - one.session.startedAt)[0]
}
