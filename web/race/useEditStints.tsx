import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import type { StintEdit } from '#contract/stints.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { stintsText as text } from '#web/text/stints.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { UndoButton } from '#web/ui/UndoButton.tsx'
import { carRaceQuery } from './carRaceQuery.ts'
import type { Edit } from './stintEdits.ts'

export interface StintEditing {
  /** Saves an edit; `onSaved` is called afterwards. An error stays in `error`. */
  save(edit: Edit, title: string, onSaved: () => void): void
  /** Removes a stint, whose time then belongs to another driver. */
  remove(edit: Edit, driver: string): void
  readonly isPending: boolean
  readonly error: Error | null
  /** Forgets the last error. */
  reset(): void
}

const topic = 'stints'

/** Makes edits of stints, each of which can be undone. */
export function useEditStints({ id: sessionId }: Session): StintEditing {
  const client = useQueryClient()
  const toasts = useToasts()
  const run = async (edits: readonly StintEdit[]) => {
    const race = await command('stints.edit', { sessionId, edits: [...edits] })
    client.setQueryData(carRaceQuery(sessionId).queryKey, race)
  }
  const undo = useMutation({
    mutationFn: run,
    onSuccess: () => toasts.success(appText.success, text.undone, topic),
    onError: reason => toasts.error(text.undoFailed, refusalText(reason), topic),
  })
  const edit = useMutation({ mutationFn: ({ edits }: Edit) => run(edits), retry: 1 })
  const done = (title: string, words: string | null, { undo: back }: Edit) =>
    toasts.success(
      title,
      <>
        {words} <UndoButton onClick={() => undo.mutate(back)}>{text.undo}</UndoButton>
      </>,
      topic,
    )
  return {
    isPending: edit.isPending,
    error: edit.error,
    reset: edit.reset,
    save(entered, title, onSaved) {
      toasts.dismiss(topic)
      edit.mutate(entered, {
        onSuccess: () => {
          done(title, null, entered)
          onSaved()
        },
      })
    },
    remove(removed, driver) {
      toasts.dismiss(topic)
      edit.mutate(removed, {
        onSuccess: () => done(text.removed, text.removedText(driver), removed),
        onError: reason => toasts.error(text.notRemoved, refusalText(reason), topic),
      })
    },
  }
}
