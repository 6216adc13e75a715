import type { RefusedChange } from '#client/driver/driverChanges.ts'
import { CallRefused } from '#web/api/refusals/callRefused.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { driverChangeText } from '#web/text/race/driverChange.ts'

/** The sentence about a driver change that the server refused. */
export function refusedText({ code }: RefusedChange): string {
  return `${driverChangeText.refused} ${refusalText(new CallRefused({ code }))}`
}
