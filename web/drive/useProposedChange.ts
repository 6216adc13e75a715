import { useState } from 'react'
import { useServerClock } from '#web/live/useLive.ts'
import { type DriverProposal, driverProposal } from '#web/race/driverProposal.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'

/** The last dismissed stop of each session, until the page is closed. */
const dismissed = new Map<string, number>()

/** Late positions move the start of a visit by less than this. */
const sameStopMs = 60_000

/**
 * Returns the driver change to propose to the driver in the pits, and a function to dismiss it on this phone; null without
 * one, and until the race has loaded. After the exit the team answers it.
 */
export function useProposedChange(
  sessionId: string,
  race: CarRace | undefined,
): (DriverProposal & { readonly dismiss: () => void }) | null {
  const serverNow = useServerClock()
  const [, render] = useState(0)
  const proposal = race ? driverProposal(race, serverNow()) : null
  if (!proposal || proposal.from !== undefined) return null
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
