import { useEffect, useLayoutEffect } from 'react'
import { afterPaint } from '#web/device/painted.ts'
import { onVisibility } from '#web/device/visibility.ts'
import type { Driver } from '#web/live/driver.ts'
import type { DriverMessageState } from '#web/live/driverMessage.ts'
import { useDriverMessage } from './useDrive.ts'

/** Reports to the driver's message what was painted and whether the page is visible. */
export function useReceipts(driver: Driver): DriverMessageState {
  const state = useDriverMessage(driver)
  const { message, expired } = state
  const version = message?.version ?? 0
  useEffect(() => onVisibility(() => driver.message.onVisibilityChange()), [driver])
  // Runs as the word is added to the page, so its frame is the next one.
  useLayoutEffect(() => {
    if (version === 0 || expired) return
    return afterPaint(() => driver.message.painted(version))
  }, [driver, version, expired])
  return state
}
