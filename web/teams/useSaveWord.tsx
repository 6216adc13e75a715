import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OwnWord } from '#contract/ownWords.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { wordsQuery } from '#web/message/useWords.ts'
import { appText } from '#web/text/app.ts'
import { wordsText } from '#web/text/words.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { UndoButton } from '#web/ui/UndoButton.tsx'

const topic = 'words'

/** Returns a function that shows the words that a command returned. */
function useShowWords(teamId: string) {
  const client = useQueryClient()
  const { queryKey } = wordsQuery(teamId)
  return (words: OwnWord[]) => {
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, words)
  }
}

export function useSaveWord(teamId: string) {
  const show = useShowWords(teamId)
  return useMutation({
    mutationFn: (word: OwnWord) => command('words.save', { teamId, word }),
    onSuccess: show,
  })
}

/** Returns a function that deletes a word. Its toast offers to undo that, or to try again. */
export function useRemoveWord(teamId: string) {
  const show = useShowWords(teamId)
  const toasts = useToasts()
  const restore = useMutation({
    mutationFn: (word: OwnWord) => command('words.save', { teamId, word }),
    onMutate: () => toasts.dismiss(topic),
    onSuccess: (words, { text }) => {
      show(words)
      toasts.success(appText.success, wordsText.restored(text), topic)
    },
    onError: (reason, word) =>
      toasts.error(
        wordsText.notRestored(word.text),
        <>
          {refusalText(reason)}{' '}
          <UndoButton onClick={() => restore.mutate(word)}>{appText.tryAgain}</UndoButton>
        </>,
        topic,
      ),
  })
  const remove = useMutation({
    mutationFn: ({ id }: OwnWord) => command('words.remove', { teamId, wordId: id }),
    onMutate: () => toasts.dismiss(topic),
    onSuccess: (words, word) => {
      show(words)
      toasts.success(
        wordsText.removed(word.text),
        <>
          {wordsText.removedText}{' '}
          <UndoButton onClick={() => restore.mutate(word)}>{wordsText.undo}</UndoButton>
        </>,
        topic,
      )
    },
    onError: (reason, word) =>
      toasts.error(
        wordsText.notRemoved(word.text),
        <>
          {refusalText(reason)}{' '}
          <UndoButton onClick={() => remove.mutate(word)}>{appText.tryAgain}</UndoButton>
        </>,
        topic,
      ),
  })
  return remove.mutate
}
