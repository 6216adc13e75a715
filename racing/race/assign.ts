/** A stint before its driver is chosen. */
export interface OpenSlot {
  /** Set by hand, or already in the car; null: to be chosen. */
  readonly driver: string | null
}

export interface Crew {
  /** In the order in which they drive. */
  readonly drivers: readonly string[]
  /** The last driver; null before the first stint. */
  readonly last: string | null
  /** Stints that the last driver has driven in a row. */
  readonly lastInARow: number
  /** Rest of a driver's time in the race. */
  leftOf(driver: string): number
}

/** More combinations are not tried. */
const maxCombinations = 729

/** Returns whether all combinations of drivers can be tried for this number of stints. */
export function canTryAll(drivers: number, stints: number): boolean {
  return drivers ** stints <= maxCombinations
}

/** Returns drivers in their order, without those who have no time left: the preferred ways. */
export function* inTurn(
  slots: readonly OpenSlot[],
  crew: Crew,
  usualMs: number,
): Generator<(string | null)[]> {
  if (crew.drivers.length === 0) {
    yield slots.map(({ driver }) => driver)
    return
  }
  yield rotation(slots, crew, { stintsInARow: 1, usualMs, reserveMs: usualMs })
  yield rotation(slots, crew, { stintsInARow: 1, usualMs, reserveMs: 1 })
}

/** Returns ways with two or three stints in a row, and one by the time that drivers have left. */
export function* severalInARow(
  slots: readonly OpenSlot[],
  crew: Crew,
  usualMs: number,
): Generator<(string | null)[]> {
  if (crew.drivers.length === 0) return
  for (const stintsInARow of [2, 3]) {
    yield rotation(slots, crew, { stintsInARow, usualMs, reserveMs: usualMs })
    yield rotation(slots, crew, { stintsInARow, usualMs, reserveMs: 1 })
  }
  yield mostTimeLeft(slots, crew, usualMs)
}

/** Drivers in their order, each in several stints in a row, as long as they have at least `reserveMs` left. */
function rotation(
  slots: readonly OpenSlot[],
  crew: Crew,
  options: { stintsInARow: number; usualMs: number; reserveMs: number },
): (string | null)[] {
  const { stintsInARow, usualMs, reserveMs } = options
  const left = timeLeft(slots, crew, usualMs)
  let last = crew.last
  let inARow = crew.lastInARow
  return slots.map(({ driver: fixed }) => {
    const driver = fixed ?? next()
    inARow = driver === last ? inARow + 1 : 1
    last = driver
    if (fixed === null) left.set(driver, (left.get(driver) ?? 0) - usualMs)
    return driver
  })

  function next(): string {
    const hasTime = (driver: string) => (left.get(driver) ?? 0) >= reserveMs - 1
    if (last !== null && inARow < stintsInARow && hasTime(last)) return last
    const order = inOrderAfter(crew.drivers, last)
    return order.find(hasTime) ?? mostLeft(order, left)
  }
}

/** The driver with the most time left, but nobody twice in a row if others have time. */
function mostTimeLeft(slots: readonly OpenSlot[], crew: Crew, usualMs: number): (string | null)[] {
  const left = timeLeft(slots, crew, usualMs)
  let last = crew.last
  return slots.map(({ driver: fixed }) => {
    const others = crew.drivers.filter(each => each !== last && (left.get(each) ?? 0) > 0)
    const driver = fixed ?? mostLeft(others.length > 0 ? others : crew.drivers, left)
    last = driver
    if (fixed === null) left.set(driver, (left.get(driver) ?? 0) - usualMs)
    return driver
  })
}

/** Time that each driver has left for stints that nobody has chosen a driver for. */
function timeLeft(slots: readonly OpenSlot[], crew: Crew, usualMs: number): Map<string, number> {
  const fixed = slots.map(({ driver }) => driver)
  return new Map(
    crew.drivers.map(driver => {
      const ownStints = fixed.filter(each => each === driver).length
      return [driver, crew.leftOf(driver) - ownStints * usualMs]
    }),
  )
}

/** The first one of those with the most time left. */
function mostLeft(drivers: readonly string[], left: ReadonlyMap<string, number>): string {
  const timeOf = (driver: string) => left.get(driver) ?? 0
  return drivers.reduce((most, each) => (timeOf(each) > timeOf(most) ? each : most))
}

/** Returns all combinations, the first ones with the drivers in their order. */
export function* combinations(
  [slot, ...rest]: readonly OpenSlot[],
  drivers: readonly string[],
  last: string | null,
): Generator<(string | null)[]> {
  if (!slot) {
    yield []
    return
  }
  const choices = slot.driver === null ? inOrderAfter(drivers, last) : [slot.driver]
  for (const driver of choices)
    for (const others of combinations(rest, drivers, driver)) yield [driver, ...others]
}

/** The drivers in their order, beginning with the one after `last`. */
function inOrderAfter(drivers: readonly string[], last: string | null): string[] {
  const start = last === null ? 0 : drivers.indexOf(last) + 1
  return [...drivers.slice(start), ...drivers.slice(0, start)]
}
