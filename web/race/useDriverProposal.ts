import { useServerClock } from '#web/live/useLive.ts'
import { type DriverProposal, driverProposal } from './driverProposal.ts'
import type { CarRace } from './shownCarRace.ts'
import { useKeepDriver } from './useChangeDriver.tsx'

/**
 * Returns the driver change to propose at the last pit stop, and a function to enter for the team that the driver stayed;
 * null without one, and until the race has loaded.
 */
export function useDriverProposal(
  sessionId: string,
  race: CarRace | undefined,
): (DriverProposal & { readonly dismiss: () => void }) | null {
  const serverNow = useServerClock()
  const { isPending, mutate } = useKeepDriver(sessionId)
  const proposal = race ? driverProposal(race, serverNow()) : null
  return (
    proposal && {
      ...proposal,
      dismiss() {
        // A second press is the same command.
        if (!isPending) mutate({ stintId: crypto.randomUUID(), at: proposal.from ?? serverNow() })
      },
    }
  )
}
