import { minutesAndSeconds } from '#web/race/lapFigures.ts'
import { checksText, type Repair } from '#web/text/checks.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import type { Check, Finding, PhoneInput } from './phoneChecks.ts'

const percents = new Intl.NumberFormat(undefined, { style: 'percent' })
const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Returns the figure of a finding, such as the accuracy of the position. */
function figureOf(finding: Finding, input: PhoneInput): string {
  const { accuracyM, clockAheadMs, roundTripMs, battery, test } = input
  switch (finding) {
    case 'located':
    case 'inaccurate':
      return wholeNumber(Math.ceil(accuracyM ?? 0))
    case 'approximate':
    case 'approximateIos':
      return wholeNumber(Math.round((accuracyM ?? 0) / 1000))
    case 'clockRight':
      return tenths.format(Math.abs(clockAheadMs ?? 0) / 1000)
    case 'clockWrong':
      return clockError(clockAheadMs ?? 0)
    case 'connected':
    case 'slowConnection':
      return tenths.format(Math.max(100, roundTripMs ?? 0) / 1000)
    case 'tested':
      return tenths.format((test?.tookMs ?? 0) / 1000)
    case 'untrusted':
      return location.hostname
    default:
      return percents.format((battery?.percent ?? 0) / 100)
  }
}

function clockError(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return seconds < 120 ? `${seconds} s` : `${wholeNumber(Math.round(seconds / 60))} min`
}

/** What a check has found, in a few words. */
export function foundText({ finding }: Check, input: PhoneInput): string {
  const text = checksText.found[finding]
  return typeof text === 'string' ? text : text(figureOf(finding, input))
}

/** What is wrong, and the steps that repair it; null for a finding that needs none. */
export function repairOf({ finding }: Pick<Check, 'finding'>, input: PhoneInput): Repair | null {
  const repairs: Partial<Record<Finding, Repair | ((detail: string) => Repair)>> =
    checksText.repairs
  const repair = repairs[finding]
  if (!repair) return null
  return typeof repair === 'function' ? repair(figureOf(finding, input)) : repair
}

/** A time without a position, such as 0:42. */
export function withoutPosition(ms: number): string {
  return minutesAndSeconds(Math.floor(ms / 1000))
}
