import { useEffect, useLayoutEffect } from 'react'
import { afterPaint } from '#web/device/painted.ts'
import { onVisibility } from '#web/device/visibility.ts'
import type { Driver } from '#web/live/driver.ts'
import type { DriverMessageState } from '#web/live/driverMessage.ts'
import { useDriverMessage } from './useDrive.ts'

/** Connects the driver's message with the page: what was painted, and whether anybody can see it. */
export function useReceipts(driver: Driver): DriverMessageState {
  const state = useDriverMessage(driver)
  const { message, expired } = state
  const version = message?.version ?? 0
  useEffect(() => onVisibility(() => driver.message.look()), [driver])
  // As the word comes into the page: its frame is the next one.
  useLayoutEffect(() => {
    if (version === 0 || expired) return
    return afterPaint(() => driver.message.painted(version))
  }, [driver, version, expired])
  return state
}
