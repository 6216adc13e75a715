import { distanceM } from '#contract/shared/geo.ts'
import type { RecordedFix } from './recordedFix.ts'
import { mpsPerKmh, mpsPerKnot, mpsPerMph } from './speedUnits.ts'

/** One metre a second in other units. */
const kmh = 1 / mpsPerKmh
const mph = 1 / mpsPerMph
const knots = 1 / mpsPerKnot

/** Ratios of reported to true speed when the wrong unit was assumed. Mistaking mph for knots is too small an error to detect. */
const wrongUnits = [
  kmh,
  mph,
  knots,
  1 / kmh,
  1 / mph,
  1 / knots,
  kmh / mph,
  kmh / knots,
  mph / kmh,
  knots / kmh,
]

/** Speeds agree with the positions within this share of them. */
const agreeWithin = 0.06

/** Speeds are compared over steps of at least `overMs` and at most `longestMs`. */
const overMs = 900
const longestMs = 2500

/** Maximum number of rows in one step: no receiver measures more often. */
const mostRows = 200

/** Only steps faster than `fastMps` are compared, at least `leastSteps` and at most `mostSteps` of them. */
const fastMps = 8
const leastSteps = 30
const mostSteps = 2000

/** A unit is wrong if another one agrees in this share of all steps. */
const leastShare = 0.6

/** A speed of 0 in this share of the steps in which the car moves means that the file has no speed. */
const unknownShare = 0.9
const standingMps = 0.5

/** Corrects speeds that were read in the wrong unit, and removes speeds that are always 0. */
export function correctSpeeds(fixes: readonly RecordedFix[]) {
  const ratios = speedRatios(fixes)
  if (ratios.length < leastSteps) return
  const share = (test: (ratio: number) => boolean) => ratios.filter(test).length / ratios.length
  const agreeing = (unit: number) => share(ratio => Math.abs(ratio / unit - 1) <= agreeWithin)
  const isUnknown = share(ratio => ratio === 0) >= unknownShare
  const unit = wrongUnits.find(each => agreeing(each) >= leastShare && agreeing(each) > agreeing(1))
  if (!isUnknown && unit === undefined) return
  for (const fix of fixes) {
    if (isUnknown) fix.speedMps = null
    else if (fix.speedMps !== null && unit !== undefined) fix.speedMps /= unit
  }
}

/** Returns the reported speed as a multiple of that between positions, in steps over the whole recording. */
function speedRatios(fixes: readonly RecordedFix[]): number[] {
  const ratios: number[] = []
  const every = Math.max(1, Math.floor(fixes.length / mostSteps))
  for (let index = 0; index < fixes.length; index += every) {
    const from = fixes[index] as RecordedFix
    let end = index + 1
    while (
      end - index < mostRows &&
      (fixes[end]?.atMs ?? Number.POSITIVE_INFINITY) - from.atMs < overMs
    )
      end++
    const to = fixes[end]
    if (!to || to.atMs - from.atMs > longestMs || from.speedMps === null || to.speedMps === null)
      continue
    const mps = (distanceM(from, to) / (to.atMs - from.atMs)) * 1000
    if (mps < fastMps) continue
    const reportedMps = (from.speedMps + to.speedMps) / 2
    ratios.push(reportedMps < standingMps ? 0 : reportedMps / mps)
  }
  return ratios
}
