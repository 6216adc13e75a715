import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Car, Roster, RosterDriver } from '#contract/roster.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { rosterQuery } from '#web/race/rosterQuery.ts'
import { rosterText } from '#web/text/roster.ts'
import { useToasts } from '#web/ui/toasts.ts'

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
  const toasts = useToasts()
  const { mutate } = useMutation({
    mutationFn: send,
    onMutate: () => toasts.dismiss('roster'),
    onSuccess: show,
    onError: reason => toasts.error(rosterText.notSaved, refusalText(reason), 'roster'),
  })
  return mutate
}
