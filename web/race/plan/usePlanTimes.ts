import { useQueryClient } from '@tanstack/react-query'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import { command } from '#web/api/call.ts'
import { carRaceKeys } from '#web/race/carRaceKeys.ts'
import type { SaveRace } from './useSaveRace.ts'

interface Values {
  raceId: string
  cars: readonly Car[]
  /** Undefined before it is saved. */
  race: Race | undefined
  saving: SaveRace
}

/** Returns a function that sets the usual lap or the time of a stop for all cars of a race, which it adds if it is new. */
export function usePlanTimes({ raceId, cars, race, saving }: Values) {
  const client = useQueryClient()
  return async (kind: 'lap' | 'stop', ms: number | null) => {
    if (!race) await saving.save({ to: {}, was: {} })
    // The plans of the last race must not replace it.
    await saving.hasPlans()
    const change =
      kind === 'lap' ? { kind: 'lap' as const, lapMs: ms } : { kind: 'stop' as const, stopMs: ms }
    const carIds = cars.length === 0 ? [null] : cars.map(({ id }) => id)
    for (const carId of carIds) await command('races.changePlan', { raceId, carId, change })
    for (const queryKey of carRaceKeys) await client.invalidateQueries({ queryKey })
    saving.onSaved()
  }
}
