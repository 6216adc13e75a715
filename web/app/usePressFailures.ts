import { useEffect } from 'react'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { onUnseenFailure } from '#web/message/presses.ts'
import { driverName } from '#web/race/driverName.ts'
import { messageText } from '#web/text/message.ts'
import { useToasts } from '#web/ui/toasts.ts'

/** Shows a toast if a press fails after its message screen or pit wall was closed. */
export function usePressFailures() {
  const channel = useChannel()
  const toasts = useToasts()
  useEffect(
    () =>
      onUnseenFailure(channel, ({ press, why }, session) => {
        const driver = (session && driverName(session)) || messageText.driverWithoutName
        toasts.error(messageText.maybeNotSentTo(messageText.plate(press.type), driver), why)
      }),
    [channel, toasts],
  )
}
