import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { refusalText } from '#web/api/refusalText.ts'
import { useToasts } from './toasts.ts'

interface Options<Output, Input>
  extends Pick<
    UseMutationOptions<Output, Error, Input>,
    'onSuccess' | 'onSettled' | 'onMutate' | 'scope' | 'mutationKey'
  > {
  send: (input: Input) => Promise<Output>
  /** Title of the toast that shows why it failed, which the next attempt closes. */
  failed: string
  /** Names the toast's topic, to close toasts of other commands about it too. */
  topic?: string
  onFailed?: () => unknown
}

/** A command whose failure is shown as a toast. */
export function useCommand<Output, Input = void>(options: Options<Output, Input>) {
  const { send, failed, topic = failed, onFailed, onMutate, ...rest } = options
  const toasts = useToasts()
  return useMutation({
    ...rest,
    mutationFn: send,
    onMutate: (...input) => {
      toasts.dismiss(topic)
      return onMutate?.(...input)
    },
    onError: reason => {
      toasts.error(failed, refusalText(reason), topic)
      onFailed?.()
    },
  })
}
