import { allReceipt } from '#web/message/allOrder.ts'
import { wallText } from '#web/text/wall.ts'
import type { WallEvent } from './wallLog.ts'

/** The presses of an order to all cars differ by less than this time, and those of a double tap, too. */
const samePressMs = 700

/**
 * Joins the events of an order to all cars to one, at the newest of them. `events` are the newest first, `count` is the
 * number of cars. An order that not all of them got has an event for each car.
 */
export function joinOrdersToAll(events: readonly WallEvent[], count: number): readonly WallEvent[] {
  if (count < 2) return events
  const joined = new Set<WallEvent>()
  return events.flatMap(event => {
    if (joined.has(event)) return []
    const same = sameOrder(event, events)
    // The newest order of each car counts after a double tap.
    const byCar = new Map(same.toReversed().map(each => [each.plate, each]))
    if (byCar.size < count) return [event]
    for (const each of same) joined.add(each)
    return [joinedEvent(event, [...byCar.values()])]
  })
}

function sameOrder({ word, toAll }: WallEvent, events: readonly WallEvent[]): WallEvent[] {
  if (!toAll) return []
  return events.filter(
    each =>
      each.word === word &&
      each.toAll &&
      Math.abs(each.toAll.pressedAt - toAll.pressedAt) < samePressMs,
  )
}

function joinedEvent({ key, at, word }: WallEvent, cars: readonly WallEvent[]): WallEvent {
  const missing = cars.filter(({ toAll }) => !toAll?.isShown).map(({ plate }) => plate)
  const copied = cars.filter(({ toAll }) => toAll?.isCopied).length
  const count = cars.length
  const receipt = allReceipt({ shown: count - missing.length, copied, count, missing })
  return { key, at, plate: wallText.all, word, text: `: ${receipt}` }
}
