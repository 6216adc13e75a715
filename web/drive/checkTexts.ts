import { checksText, type Repair } from '#web/text/checks.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import type { Check, Finding, PhoneInput } from './phoneChecks.ts'

const percents = new Intl.NumberFormat(undefined, { style: 'percent' })
const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

const percentOf = ({ battery }: PhoneInput) => percents.format((battery?.percent ?? 0) / 100)
const seconds = (ms: number) => tenths.format(ms / 1000)

/** The figures of findings, such as the accuracy of the position. */
const figures: Partial<Record<Finding, (input: PhoneInput) => string>> = {
  located: ({ accuracyM }) => wholeNumber(Math.ceil(accuracyM ?? 0)),
  inaccurate: ({ accuracyM }) => wholeNumber(Math.ceil(accuracyM ?? 0)),
  approximate: ({ accuracyM }) => wholeNumber(Math.round((accuracyM ?? 0) / 1000)),
  approximateIos: ({ accuracyM }) => wholeNumber(Math.round((accuracyM ?? 0) / 1000)),
  clockRight: ({ clockAheadMs }) => seconds(Math.abs(clockAheadMs ?? 0)),
  clockWrong: ({ clockAheadMs }) => clockError(clockAheadMs ?? 0),
  connected: ({ roundTripMs }) => seconds(Math.max(100, roundTripMs ?? 0)),
  slowConnection: ({ roundTripMs }) => seconds(Math.max(100, roundTripMs ?? 0)),
  tested: ({ test }) => seconds(test?.tookMs ?? 0),
  untrusted: () => location.hostname,
}

function figureOf(finding: Finding, input: PhoneInput): string {
  return (figures[finding] ?? percentOf)(input)
}

function clockError(aheadMs: number): string {
  const wholeS = Math.round(Math.abs(aheadMs) / 1000)
  return wholeS < 120 ? `${wholeS} s` : `${wholeNumber(Math.round(wholeS / 60))} min`
}

/** Returns the finding of a check, in a few words. */
export function foundText({ finding }: Check, input: PhoneInput): string {
  const text = checksText.found[finding]
  return typeof text === 'string' ? text : text(figureOf(finding, input))
}

/** Returns the fault and the steps that repair it; null for a finding that needs none. */
export function repairOf({ finding }: Pick<Check, 'finding'>, input: PhoneInput): Repair | null {
  const repairs: Partial<Record<Finding, Repair | ((detail: string) => Repair)>> =
    checksText.repairs
  const repair = repairs[finding]
  if (!repair) return null
  return typeof repair === 'function' ? repair(figureOf(finding, input)) : repair
}
