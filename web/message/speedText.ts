import { messageText } from '#web/text/message.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

/** Returns the speed of a car with its unit: 64 km/h. Null if it is not known. */
export function speedText(kmh: number | null): string | null {
  return kmh === null ? null : `${wholeNumber(kmh)} ${messageText.kmh}`
}
