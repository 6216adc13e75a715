import { useQueryClient } from '@tanstack/react-query'
import type { OfficialTiming, TimingEntry } from '#contract/timing.ts'
import { command } from '#web/api/call.ts'
import { timingText } from '#web/text/timing.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { UndoButton } from '#web/ui/UndoButton.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import { timingQuery } from './timingQuery.ts'

interface Entry {
  entry: TimingEntry
  /** Names it in the toast. */
  what: string
}

const topic = 'timing-entry'

/** Returns the commands that enter values by hand, and undo an entry. `onDone` gets what was entered; null for an undo. */
export function useEnter(raceId: string, onDone: (entry: TimingEntry | null) => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  const show = (timing: OfficialTiming) => client.setQueryData(timingQuery(raceId).queryKey, timing)
  const undo = useCommand({
    topic,
    failed: timingText.notUndone,
    send: (entryId: string) => command('timing.undoEntry', { raceId, entryId }),
    onSuccess: timing => {
      show(timing)
      toasts.success(timingText.undone, timingText.undoneText, topic)
      onDone(null)
    },
  })
  const enter = useCommand({
    topic,
    failed: timingText.notEntered,
    async send({ entry, what }: Entry) {
      const entryId = crypto.randomUUID()
      return {
        timing: await command('timing.enter', { raceId, entryId, entry }),
        entryId,
        entry,
        what,
      }
    },
    onSuccess({ timing, entryId, entry, what }) {
      show(timing)
      toasts.success(
        timingText.entered(what),
        <UndoButton onClick={() => undo.mutate(entryId)}>{timingText.undo}</UndoButton>,
        topic,
      )
      onDone(entry)
    },
  })
  return { enter, undo }
}
