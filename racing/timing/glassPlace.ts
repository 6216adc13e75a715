import type { GlassPart } from '#contract/shared/glassParts.ts'
import type { Gap } from '#contract/shared/timingRules.ts'
import { type EnteredValues, type FeedAge, handPlaceMs, withEnteredCars } from './byHand.ts'
import { indexOfNumber } from './indexOfNumber.ts'
import type { RunCar } from './run.ts'
import { gapBehind, standingsOf } from './standings.ts'

/** Another car, by its number. Null: not known. */
interface OtherCar {
  number: string | null
  gap: Gap | null
}

/** The place and the gaps of a car, only those that its team shows. A part is null if there is no such car. */
export interface PlaceOnGlass {
  place?: { position: number; className: string | null; classPosition: number | null }
  ahead?: OtherCar | null
  behind?: OtherCar | null
  faster?: OtherCar | null
}

interface GlassOfCar {
  readonly parts: readonly GlassPart[]
  readonly feed: FeedAge
  readonly nowMs: number
}

/** Returns the chosen parts of the place of the car of this number; null if it is not in the order. */
export function glassPlace(
  cars: readonly RunCar[],
  number: string | null,
  parts: readonly GlassPart[],
): PlaceOnGlass | null {
  const index = indexOfNumber(cars, number)
  const own = cars[index]
  if (!own) return null
  const ahead = cars[index - 1]
  const behind = cars[index + 1]
  const { position, className, classPosition } = own
  const gap = (of: RunCar, to: RunCar) => gapBehind(of.crossings, to.crossings)
  return {
    ...(parts.includes('place') && { place: { position, className, classPosition } }),
    ...(parts.includes('ahead') && {
      ahead: ahead ? { number: ahead.number, gap: gap(own, ahead) } : null,
    }),
    ...(parts.includes('behind') && {
      behind: behind ? { number: behind.number, gap: gap(behind, own) } : null,
    }),
    ...(parts.includes('faster') && { faster: fasterBehind(cars, own) }),
  }
}

/**
 * Returns the chosen parts of what was entered by hand about the car of this number; null while the feed is current, and
 * once the entry is too old. A newer gap confirms its position.
 */
export function enteredOnGlass(
  cars: readonly RunCar[],
  entries: readonly EnteredValues[],
  { number, parts, feed, nowMs }: { number: string } & GlassOfCar,
): (PlaceOnGlass & { readonly enteredAt: number }) | null {
  const isRecent = (at: number) => nowMs - at <= handPlaceMs
  const own = entries
    .filter(each => each.number === number)
    .map(each => ({ ...each, laps: undefined, gap: isRecent(each.at) ? each.gap : undefined }))
  const shown = withEnteredCars(own.length > 0 ? standingsOf(cars) : [], own, feed)
  const { entered, position, toAhead } = shown.find(each => each.number === number) ?? {}
  if (!entered || position === undefined) return null
  const gapped = toAhead && own.findLast(({ gap }) => gap !== undefined)
  const enteredAt = gapped?.at ?? entered.at
  if (!isRecent(enteredAt)) return null
  return {
    enteredAt,
    ...(parts.includes('place') && { place: { position, className: null, classPosition: null } }),
    ...(parts.includes('ahead') && toAhead && { ahead: { number: null, gap: toAhead } }),
  }
}

/**
 * Returns the next car of a faster class that follows a car on the track, by the times at the line; null if there is
 * none. A class is faster if its best lap is shorter. A car that has not passed the line since the own car did so twice
 * has stopped, and does not follow.
 */
export function fasterBehind(cars: readonly RunCar[], own: RunCar): OtherCar | null {
  const bests = new Map<string, number>()
  for (const { className, bestMs } of cars)
    if (className !== null && bestMs !== null)
      bests.set(className, Math.min(bests.get(className) ?? bestMs, bestMs))
  const bestOf = ({ className }: RunCar) => bests.get(className ?? '') ?? null
  const ownBest = bestOf(own)
  if (ownBest === null) return null
  const followers = cars.flatMap(car => {
    if ((bestOf(car) ?? ownBest) >= ownBest) return []
    const ms = behindOnTrack(car, own)
    return ms === null ? [] : { number: car.number, gap: { laps: 0, ms } }
  })
  return followers.sort((a, b) => a.gap.ms - b.gap.ms)[0] ?? null
}

function behindOnTrack(car: RunCar, own: RunCar): number | null {
  const passed = car.crossings.at(-1)
  const before = own.crossings.slice(-2).findLast(each => each.totalMs <= (passed?.totalMs ?? -1))
  return passed && before ? passed.totalMs - before.totalMs : null
}
