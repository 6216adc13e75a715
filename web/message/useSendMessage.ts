import { useEffect, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import type { Message, MessageType } from '#contract/messages.ts'
import { useMe } from '#web/api/login.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { messageText } from '#web/text/message.ts'
import { useToasts } from '#web/ui/toasts.ts'
import type { Press } from './delivery.ts'
import { type PressState, pressesOf } from './presses.ts'

type PressMessage = (
  type: MessageType | null,
  how?: Pick<Press, 'colour' | 'toCar'> & { ask?: boolean },
) => void

export interface Sending extends PressState {
  readonly press: PressMessage
  /** Retries the failed press under its own command id. Its delivery counts from the retry. */
  readonly tryAgain: () => void
}

/** Sends presses to a session and follows those of all screens of this page. `current` is the message on the board. */
export function useSendMessage(sessionId: string, current: Message | null): Sending {
  const channel = useChannel()
  const me = useMe().id
  const toasts = useToasts()
  const presses = pressesOf(channel, sessionId)
  const { pending, failed } = useSyncExternalStore(presses.onChange, () => presses.state)
  // A layout effect ends with the screen; on a busy device the subscription ends later.
  useLayoutEffect(() => presses.openScreen(), [presses])

  // A newer message is on the board: the failure has no place to be shown.
  const version = current?.version ?? 0
  const isOvertaken = failed !== null && version > failed.afterVersion
  const dropOvertaken = useEffectEvent(() => {
    // Another component that shows this car may have dropped it.
    if (!failed || presses.state.failed !== failed) return
    presses.dropFailed()
    // The press was stored, although its response was lost.
    if (current?.type === failed.press.type && current.sentBy === me) return
    const plate = messageText.plate(failed.press.type)
    toasts.error(messageText.maybeNotSent(plate), failed.why)
  })
  useEffect(() => {
    if (isOvertaken) dropOvertaken()
  }, [isOvertaken])

  return {
    pending,
    failed,
    press: usePress(sessionId, current),
    tryAgain: () => {
      if (!failed) return
      presses.press({ ...failed.press, pressedAt: channel.clock.timeOf() }, version)
    },
  }
}

/** Returns a function that sends a press to a session. `current` is the message on the board. */
export function usePress(sessionId: string, current: Message | null): PressMessage {
  return usePressTo()(sessionId, current)
}

/** Returns `usePress` for any session. */
export function usePressTo(): (sessionId: string, current: Message | null) => PressMessage {
  const channel = useChannel()
  return (sessionId, current) =>
    (type, { ask = false, ...how } = {}) => {
      const [pressedAt, commandId] = [channel.clock.timeOf(), crypto.randomUUID()]
      const presses = pressesOf(channel, sessionId)
      presses.press({ type, ask, ...how, pressedAt, commandId }, current?.version ?? 0)
    }
}
