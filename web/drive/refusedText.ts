import type { RefusedChange } from '#client/driver/driverChanges.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { driverChangeText } from '#web/text/driverChange.ts'

/** The sentence about a driver change that the server refused. */
export function refusedText({ code }: RefusedChange): string {
  return `${driverChangeText.refused} ${refusalText(new CallRefused({ code }))}`
}
