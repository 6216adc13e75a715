import { useState } from 'react'
import type { Race } from '#contract/races.ts'
import { isDue } from '#racing/race/raceResult.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { RaceDialog } from './RaceDialog.tsx'
import type { CarRace } from './shownCarRace.ts'
import { clockTickMs, useServerNow } from './useServerNow.ts'

interface Props {
  race: Race
  /** The team's cars in it. */
  cars: readonly CarRace[]
  className?: string | undefined
}

/** The key that ends a race, once its time is up or its laps are driven. */
export function EndRace({ race, cars, className }: Props) {
  const nowMs = useServerNow(clockTickMs)
  const [isOpen, setOpen] = useState(false)
  if (!isDue(race, cars, nowMs)) return null
  return (
    <>
      <button type="button" className={className} data-end onClick={() => setOpen(true)}>
        {raceClockText.end}
      </button>
      {isOpen && <RaceDialog race={race} cars={cars} asksEnd onClose={() => setOpen(false)} />}
    </>
  )
}
