import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RunDecision } from '#contract/carRaces.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { appText } from '#web/text/app.ts'
import { runsText as text } from '#web/text/runs.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { UndoButton } from '#web/ui/UndoButton.tsx'

interface Correction {
  readonly correctionId: string
  readonly decisions: readonly RunDecision[]
  /** `corrections` of the race as it was shown. */
  readonly was: number
}

const topic = 'runs'

/** Corrects the runs of the car of a session. The toast of a correction offers to undo it, as `undo` does. */
export function useCorrectRuns(sessionId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { queryKey } = carRaceQuery(sessionId)
  const undo = useMutation({
    mutationFn: (correctionId: string) =>
      command('carRaces.undoCorrection', { sessionId, correctionId }),
    onSuccess: race => {
      client.setQueryData(queryKey, race)
      toasts.success(appText.success, text.undone, topic)
    },
    onError: reason => toasts.error(text.undoFailed, refusalText(reason), topic),
  })
  const correct = useMutation({
    mutationFn: ({ decisions, ...correction }: Correction) =>
      command('carRaces.correctRuns', { sessionId, ...correction, decisions: [...decisions] }),
    retry: 1,
    onMutate: () => toasts.dismiss(topic),
    onError: () => client.invalidateQueries({ queryKey }),
    onSuccess: (race, { correctionId }) => {
      client.setQueryData(queryKey, race)
      toasts.success(
        text.corrected,
        <UndoButton onClick={() => undo.mutate(correctionId)}>{text.undo}</UndoButton>,
        topic,
      )
    },
  })
  return { correct, undo }
}
