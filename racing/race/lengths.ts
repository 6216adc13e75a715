/** A stint whose length is to be found, in milliseconds. */
export interface Slot {
  readonly driver: string | null
  readonly leastMs: number
  readonly mostMs: number
}

/**
 * Divides a time among stints: equal parts, except where a stint or its driver is at a limit. Lengths are whole seconds
 * if the time is. If the limits do not leave enough time, all stints exceed them by the same time.
 */
export function divideTime(
  slots: readonly Slot[],
  totalMs: number,
  leftOf: (driver: string | null) => number,
): number[] {
  const groups = new Map<string | null, Slot[]>()
  for (const slot of slots) groups.set(slot.driver, [...(groups.get(slot.driver) ?? []), slot])
  const highestMs = Math.max(totalMs, 1)
  const levels = new Map<Slot, number>()
  const level = lowest(highestMs, levelMs => {
    let sum = 0
    for (const [driver, own] of groups) sum += Math.min(leftOf(driver), sumAt(own, levelMs))
    return sum >= totalMs
  })
  for (const [driver, own] of groups) {
    const mostMs = leftOf(driver)
    const isLimited = sumAt(own, level) > mostMs
    const ownLevel = isLimited ? lowest(level, levelMs => sumAt(own, levelMs) >= mostMs) : level
    for (const slot of own) levels.set(slot, within(slot, ownLevel))
  }
  return wholeSeconds(slots, totalMs, slot => levels.get(slot) ?? 0, leftOf)
}

function within({ leastMs, mostMs }: Slot, levelMs: number): number {
  return Math.max(leastMs, Math.min(mostMs, levelMs))
}

function sumAt(slots: readonly Slot[], levelMs: number): number {
  return slots.reduce((sum, slot) => sum + within(slot, levelMs), 0)
}

/** Halvings after which a level is exact to a millisecond. */
const halvings = 48

/** Returns the lowest level between 0 and `highest` that is enough; `highest` if none is. */
function lowest(highest: number, isEnough: (level: number) => boolean): number {
  let low = 0
  let high = highest
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** A remainder below this is an error of the halvings. */
const tinyMs = 0.01

/** Rounds lengths to whole seconds, so that they still take the whole time and keep the limits. */
function wholeSeconds(
  slots: readonly Slot[],
  totalMs: number,
  lengthOf: (slot: Slot) => number,
  leftOf: (driver: string | null) => number,
): number[] {
  const lengths = slots.map(slot => {
    const rounded = Math.floor((lengthOf(slot) + tinyMs) / 1000) * 1000
    return Math.max(rounded, slot.leastMs)
  })
  const sum = () => lengths.reduce((total, length) => total + length, 0)
  const ownMs = (driver: string | null) =>
    slots.reduce(
      (total, slot, index) => total + (slot.driver === driver ? (lengths[index] ?? 0) : 0),
      0,
    )
  slots.forEach((slot, index) => {
    const length = lengths[index] ?? 0
    const roomMs = Math.min(
      1000,
      totalMs - sum(),
      slot.mostMs - length,
      leftOf(slot.driver) - ownMs(slot.driver),
    )
    if (roomMs > 0) lengths[index] = length + roomMs
  })
  const missingMs = totalMs - sum()
  if (missingMs <= 0) return lengths
  const eachMs = Math.floor(missingMs / slots.length / 1000) * 1000
  return lengths.map((length, index) =>
    index === slots.length - 1 ? length + missingMs - eachMs * index : length + eachMs,
  )
}
