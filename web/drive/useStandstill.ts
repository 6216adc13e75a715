import { useEffect, useState } from 'react'
import { standingKmh } from '#contract/shared/fix.ts'
import { type Gps, useGps } from './usePosition.ts'

/** Minimum duration of a standstill: below that it may be a hairpin. */
const standstillMs = 3000
/** After this long without a speed, a car that was driving may have stopped. */
const unknownSpeedMs = 60_000

/**
 * Whether the car is stationary: below 5 km/h for 3 s, or as long as `forMs`. Without a known speed it counts as stationary if
 * it was before, never had a speed, or had none for a minute: a driver without GPS must be able to
 * leave, too.
 */
export function useStandstill(gps: Gps, forMs = standstillMs): boolean {
  const isMoving = useGps(gps, ({ reading }) => {
    const speedKmh = reading?.speedKmh ?? null
    return speedKmh === null ? null : speedKmh >= standingKmh
  })
  const [wasMoving, setWasMoving] = useState(false)
  if (isMoving !== null && isMoving !== wasMoving) setWasMoving(isMoving)
  const moving = isMoving ?? wasMoving
  const stillAfterMs = moving ? (isMoving === null ? unknownSpeedMs : null) : forMs
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
