import { useEffect, useState } from 'react'
import { standingKmh } from '#contract/shared/places/fix.ts'
import type { Gps } from './usePosition.ts'

/** Minimum duration of a standstill: below that it may be a hairpin. */
const standstillMs = 3000
/** After this long without a speed, a car that was driving may have stopped. */
const unknownSpeedMs = 60_000

/**
 * Whether the car is stationary: below 5 km/h for 3 s. Without a known speed it counts as stationary if
 * it was before, never had a speed, or had none for a minute: a driver without GPS must be able to
 * leave, too.
 */
export function useStandstill({ reading }: Pick<Gps, 'reading'>): boolean {
  const speedKmh = reading?.speedKmh ?? null
  const [wasMoving, setWasMoving] = useState(false)
  if (speedKmh !== null && wasMoving !== speedKmh >= standingKmh) setWasMoving(!wasMoving)
  const moving = speedKmh === null ? wasMoving : speedKmh >= standingKmh
  const stillAfterMs = moving ? (speedKmh === null ? unknownSpeedMs : null) : standstillMs
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
