import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Car, Roster, RosterDriver } from '#contract/roster.ts'
import { command } from '#web/api/call.ts'
import { rosterQuery } from '#web/race/rosterQuery.ts'
import { rosterText } from '#web/text/roster.ts'
import { useCommand } from '#web/ui/useCommand.ts'

/** Returns a function that shows the roster that a command returned. */
function useShowRoster(teamId: string) {
  const client = useQueryClient()
  const { queryKey } = rosterQuery(teamId)
  return (roster: Roster) => {
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, roster)
  }
}

export function useSaveCar(teamId: string) {
  const show = useShowRoster(teamId)
  return useMutation({
    mutationFn: (car: Omit<Car, 'archived'>) => command('roster.saveCar', { teamId, car }),
    onSuccess: show,
  })
}

export function useSaveDriver(teamId: string) {
  const show = useShowRoster(teamId)
  return useMutation({
    mutationFn: (driver: Omit<RosterDriver, 'archived'>) =>
      command('roster.saveDriver', { teamId, driver }),
    onSuccess: show,
  })
}

export function useRemoveCar(teamId: string) {
  return useRosterCommand(teamId, (carId: string) => command('roster.removeCar', { teamId, carId }))
}

export function useRemoveDriver(teamId: string) {
  return useRosterCommand(teamId, (driverId: string) =>
    command('roster.removeDriver', { teamId, driverId }),
  )
}

export function useSortRoster(teamId: string, what: 'cars' | 'drivers') {
  return useRosterCommand(teamId, (ids: string[]) => command('roster.sort', { teamId, what, ids }))
}

function useRosterCommand<Input>(teamId: string, send: (input: Input) => Promise<Roster>) {
  const show = useShowRoster(teamId)
  return useCommand({ send, failed: rosterText.notSaved, onSuccess: show }).mutate
}
