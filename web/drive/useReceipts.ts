import { useLayoutEffect } from 'react'
import type { Driver } from '#client/driver/driver.ts'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { afterPaint } from '#web/device/painted.ts'
import { onVisibility } from '#web/device/visibility.ts'
import { useDriverMessage } from './useDrive.ts'

/** Reports painted messages and the page's visibility to the driver's message. */
export function useReceipts(driver: Driver): DriverMessageState {
  const state = useDriverMessage(driver)
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
    if (version === 0 || isWithheld || isLazy) return
    return afterPaint(() => driver.message.painted(version))
  }, [driver, version, isWithheld, isLazy])
  return state
}
