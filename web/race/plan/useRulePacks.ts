import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RaceRules, RulePack } from '#contract/rulePacks.ts'
import { command } from '#web/api/call.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useRaceQuery } from '#web/race/useRaceQuery.ts'

const packsQuery = (teamId: string) => queryOf('rulePacks.list', { teamId })

export const useRulePacks = (teamId: string) => useRaceQuery(teamId, packsQuery(teamId))

type PackChange =
  | { readonly do: 'save'; readonly id: string; readonly rules: RaceRules }
  | { readonly do: 'import'; readonly id: string; readonly file: string }
  | { readonly do: 'remove'; readonly id: string }

/** Saves, imports or removes one of the team's rule packs. */
export function useChangePacks(teamId: string) {
  const client = useQueryClient()
  const { queryKey } = packsQuery(teamId)
  return useMutation({
    mutationFn: (change: PackChange): Promise<RulePack[]> => {
      const { id } = change
      if (change.do === 'save')
        return command('rulePacks.save', { teamId, id, rules: change.rules })
      if (change.do === 'import')
        return command('rulePacks.import', { teamId, id, file: change.file })
      return command('rulePacks.remove', { teamId, id })
    },
    onSuccess: packs => {
      void client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, packs)
    },
  })
}
