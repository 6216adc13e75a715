import { useState } from 'react'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { type DriverProposal, driverProposal } from './driverProposal.ts'

/** The last dismissed stop of each session, until the page is closed. */
const dismissed = new Map<string, number>()

/** Late positions move the start of a visit by less than this. */
const sameStopMs = 60_000

interface Stop {
  /** Undefined until it has loaded. */
  readonly race: RaceOfSession | undefined
  /** Visits to the pits as this screen knows them. */
  readonly visits: readonly PitVisit[]
  readonly laps: readonly Lap[]
}

/** Returns the driver change to propose at the current pit stop, and a function to dismiss it; null without one. */
export function useDriverProposal(
  sessionId: string,
  { race, visits, laps }: Stop,
): (DriverProposal & { readonly dismiss: () => void }) | null {
  const serverNow = useServerClock()
  const [, render] = useState(0)
  const proposal = race ? driverProposal(race, { visits, laps, nowMs: serverNow() }) : null
  if (!proposal) return null
  const { stopAt } = proposal
  if (stopAt < (dismissed.get(sessionId) ?? Number.NEGATIVE_INFINITY) + sameStopMs) return null
  return {
    ...proposal,
    dismiss() {
      dismissed.set(sessionId, stopAt)
      render(count => count + 1)
    },
  }
}
