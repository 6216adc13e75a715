import { greatestOf } from '#contract/shared/extremes.ts'
import { settledMs } from '../laps/moves.ts'
import {
  clockOf,
  decidedAfter,
  droveBoth,
  isOpen,
  type KnownPhone,
  knownOf,
  type PhoneMoves,
  pausesOf,
  type Run,
  type RunDecision,
} from './runs.ts'

const forever = Number.POSITIVE_INFINITY

/** Drives are computed within this time of their fixes. */
const timedMs = 5000

/** Phones in one car begin to move within this time of each other. */
const movedApartMs = 5000

/**
 * Returns the phones that may be in a car instead of the one of its open run. A phone that drives may be
 * - if the phone of the run is silent;
 * - if that one has been standing or elsewhere since before, and no person decided otherwise: the phones of one car are
 *   found to leave the pits within `settledMs` of each other.
 * A phone that begins to move may be, while that one stands or is silent, unless both have driven at the same time.
 * Until one of them takes over, an order goes to all of them.
 */
export function unsurePhones(
  phones: readonly PhoneMoves[],
  runs: readonly Run[],
  decisions: readonly RunDecision[] = [],
): string[] {
  const last = runs.at(-1)
  const clockMs = clockOf(phones)
  const known = phones.map(phone => knownOf(phone, clockMs))
  const inCar = known.find(({ sessionId }) => sessionId === last?.sessionId)
  if (last?.until !== null || !inCar) return []
  const pause = pausesOf(inCar, last.from).at(-1)
  if (pause?.to !== inCar.knownUntil) return []
  const begun = decisions.reduce<readonly RunDecision[]>(decidedAfter, []).filter(isOpen)
  const begunAt = greatestOf(begun.map(({ from }) => from))
  const hasMovedOff = (phone: KnownPhone) => {
    const { movingSince, lastMs, endsAt } = phone
    if (endsAt < forever) return false
    if (movingSince === null || movingSince < pause.from || movingSince <= begunAt) return false
    if (droveBoth(inCar, phone, { fromMs: last.from, from: movingSince })) return false
    const seenUntil = clockMs - inCar.lastMs < settledMs ? inCar.lastMs : clockMs
    return inCar.movingSince === null && movingSince + movedApartMs <= Math.min(lastMs, seenUntil)
  }
  const mayBeInCar = (phone: KnownPhone) => {
    const drive = phone.drives.at(-1)
    if (hasMovedOff(phone)) return true
    if (drive?.to !== forever) return false
    const began = drive.from >= pause.from && drive.from > begunAt
    const settledAt = Math.max(drive.from + 2 * settledMs, drive.provenAt + timedMs)
    const isSettled = settledAt <= Math.min(phone.knownUntil, inCar.knownUntil, clockMs)
    return inCar.isSilent || (began && isSettled)
  }
  return known.filter(mayBeInCar).map(({ sessionId }) => sessionId)
}
