import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { command, read } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useRoom } from '#web/live/useLive.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './Plan.module.css'

/** Returns the team's race that has not ended, requested again when it changes (R14). */
export function useOpenRace(teamId: string) {
  const client = useQueryClient()
  const queryKey = ['races.list', teamId]
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot') void client.invalidateQueries({ queryKey })
  })
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read('races.list', { teamId }, { signal }),
  })
  return data?.find(({ endedAt }) => endedAt === null)
}

function useSetRace(sessionId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { queryKey } = carRaceQuery(sessionId)
  return useMutation({
    mutationFn: (raceId: string | null) => command('stints.setRace', { sessionId, raceId }),
    onSuccess: race => client.setQueryData(queryKey, race),
    onError: reason => toasts.error(planText.saveFailed, refusalText(reason), 'plan'),
  })
}

/** The race that the team drives now, for a session that does not drive it. */
export function JoinRace({
  sessionId,
  race,
}: {
  sessionId: string
  race: { id: string; name: string }
}) {
  const setRace = useSetRace(sessionId)
  return (
    <section className={styles.join}>
      <h2 className={typography.h2}>{race.name}</h2>
      <p className={typography.sub}>{planText.joinText}</p>
      <Button narrow busy={setRace.isPending} onClick={() => setRace.mutate(race.id)}>
        {planText.join}
      </Button>
    </section>
  )
}

/** Takes the session out of its race. */
export function LeaveRace({ sessionId }: { sessionId: string }) {
  const setRace = useSetRace(sessionId)
  return (
    <div className={styles.join}>
      <p className={typography.sub}>{planText.leaveText}</p>
      <Button variant="quiet" narrow busy={setRace.isPending} onClick={() => setRace.mutate(null)}>
        {planText.leave}
      </Button>
    </div>
  )
}
