import { useEffect, useState } from 'react'
import { standingKmh } from '#contract/fix.ts'
import type { Gps } from './usePosition.ts'

/** How long a car has to stand: slower for a moment is a hairpin. */
const standsForMs = 3000
/** Without a speed for this long, a car that was driving may stand anywhere. */
const unknownForMs = 60_000

/**
 * Whether the car stands: below 5 km/h for 3 s. Where no speed is known, it counts as standing if it
 * stood before, never had one, or had none for a minute: a driver without GPS must get out, too.
 */
export function useStanding({ reading }: Pick<Gps, 'reading'>): boolean {
  const speedKmh = reading?.speedKmh ?? null
  const [wasMoving, setWasMoving] = useState(false)
  if (speedKmh !== null && wasMoving !== speedKmh >= standingKmh) setWasMoving(!wasMoving)
  const moving = speedKmh === null ? wasMoving : speedKmh >= standingKmh
  const stillAfterMs = moving ? (speedKmh === null ? unknownForMs : null) : standsForMs
  const [standing, setStanding] = useState(false)
  useEffect(() => {
    if (stillAfterMs === null) return
    const timer = setTimeout(() => setStanding(true), stillAfterMs)
    return () => {
      clearTimeout(timer)
      setStanding(false)
    }
  }, [stillAfterMs])
  return standing
}
