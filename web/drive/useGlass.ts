import { useMemo, useState } from 'react'
import type { Driver } from '#client/driver/driver.ts'
import { useDriverMessage } from './useDrive.ts'
import { useOtherPhone } from './useOtherPhone.ts'
import { useReceipts } from './useReceipts.ts'

/** The pits and the race, as far as the message and the answers depend on them. */
export interface StopOnGlass {
  readonly isInPits: boolean
  /** When the car left the pits the last time, as far as this phone knows; null before. */
  readonly exitedAt: number | null
  /** True after the race of the car. */
  readonly isRaceOver: boolean
  /** Shown in place of the speed once the car has finished its race; null before. */
  readonly finish: string | null
  /** Version of the message that the stop takes the place of; null for none. */
  readonly obeyed: number | null
}

const noStop: StopOnGlass = {
  isInPits: false,
  exitedAt: null,
  isRaceOver: false,
  finish: null,
  obeyed: null,
}

/**
 * Returns the message as the glass shows it, and the phone that is in the car instead of this one. `onStop` receives the
 * stop from `DriveLaps`, whose code loads after the first paint.
 */
export function useGlass(sessionId: string, driver: Driver) {
  const seen = useDriverMessage(driver)
  const other = useOtherPhone(sessionId, seen.message)
  const [stop, onStop] = useState(noStop)
  // Orders go to the phone in the car: while that is another one, the order on this screen is outdated.
  const isCovered = other !== null
  // In the pits the stop is in place of the PIT that has called for it.
  const isWithheld = isCovered || stop.obeyed === (seen.message?.version ?? 0)
  useReceipts(driver, seen, isCovered)
  const shown = useMemo(
    () => (isWithheld ? { ...seen, isWithheld: true } : seen),
    [seen, isWithheld],
  )
  return { shown, other, stop, onStop }
}
