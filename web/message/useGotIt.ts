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

/** Presses the "Got it" key on the screen, on the wall that of this lane. Returns false if there is none. */
export function pressGotIt(lane?: string): boolean {
  const within = lane === undefined ? '' : `[data-lane="${lane}"]`
  const key = document.querySelector<HTMLButtonElement>(`${within} [data-got-it]`)
  key?.click()
  return key !== null
}
