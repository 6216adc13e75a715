import { useLayoutEffect } from 'react'
import type { Driver } from '#client/driver/driver.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { afterPaint } from '#web/device/painted.ts'
import { onVisibility } from '#web/device/visibility.ts'

/**
 * Reports painted messages and the page's visibility to the driver's message. `isCovered`: something else is on the
 * screen, and the message is not.
 */
export function useReceipts(driver: Driver, state: DriverMessageState, isCovered: boolean) {
  const { message, isWithheld } = state
  const version = message?.version ?? 0
  const isLazy = message?.ask || message?.colour
  useLayoutEffect(() => {
    // Before the first paint: a notice may have been in the place of an expired message.
    driver.message.onScreenShown()
    return onVisibility(() => driver.message.onVisibilityChange())
  }, [driver])
  // Runs as the word is added to the page, so its frame is the next one.
  useLayoutEffect(() => {
    // `useAnswering` and `OwnWord` send the receipts of questions and own words.
    if (version === 0 || isWithheld || isLazy || isCovered) return
    return afterPaint(() => driver.message.painted(version))
  }, [driver, version, isWithheld, isLazy, isCovered])
}
