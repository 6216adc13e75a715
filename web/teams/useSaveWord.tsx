import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OwnWord } from '#contract/words.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { wordsQuery } from '#web/message/useWords.ts'
import { appText } from '#web/text/app.ts'
import { wordsText } from '#web/text/words.ts'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './Words.module.css'

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
        <ToastAction label={appText.tryAgain} onPress={() => restore.mutate(word)}>
          {refusalText(reason)}
        </ToastAction>,
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
        <ToastAction label={wordsText.undo} onPress={() => restore.mutate(word)}>
          {wordsText.removedText}
        </ToastAction>,
        topic,
      )
    },
    onError: (reason, word) =>
      toasts.error(
        wordsText.notRemoved(word.text),
        <ToastAction label={appText.tryAgain} onPress={() => remove.mutate(word)}>
          {refusalText(reason)}
        </ToastAction>,
        topic,
      ),
  })
  return remove.mutate
}

interface ActionProps {
  label: string
  onPress: () => void
  children: string
}

function ToastAction({ label, onPress, children }: ActionProps) {
  return (
    <>
      {children}{' '}
      <span className={styles.action}>
        <button type="button" onClick={onPress}>
          {label}
        </button>
      </span>
    </>
  )
}
