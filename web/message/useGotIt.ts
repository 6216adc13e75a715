import { useMutation } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { problemText } from '#web/text/problem.ts'
import { useToasts } from '#web/ui/toasts.ts'

/** Tells the whole team and the driver that their problem was read. The event that follows changes every screen. */
export function useGotIt(sessionId: string) {
  const toasts = useToasts()
  return useMutation({
    mutationFn: (answerId: string) => command('messages.gotIt', { sessionId, answerId }),
    onError: reason => toasts.error(problemText.failed, refusalText(reason)),
  })
}

/**
 * Presses the "Got it" of the lane of a car, else that of the oldest problem on the screen. Returns false if there is
 * none.
 */
export function pressGotIt(lane?: string): boolean {
  const keys = [...document.querySelectorAll<HTMLButtonElement>('button[data-got-it]')]
  const own = keys.find(key => lane !== undefined && key.closest(`[data-lane="${lane}"]`))
  const oldest = keys.toSorted((a, b) => Number(a.dataset.gotIt) - Number(b.dataset.gotIt))[0]
  const key = own ?? oldest
  key?.click()
  return key !== undefined
}
