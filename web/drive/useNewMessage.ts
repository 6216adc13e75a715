import { useEffect, useEffectEvent, useRef } from 'react'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import type { MessageType } from '#contract/messages.ts'

/**
 * Calls `announce` once for each new message when the driver first sees it, which may be later than its arrival: it is
 * withheld while the server's time is unknown. A message that was there before is not new.
 */
export function useNewMessage(
  { message, isWithheld, isNew }: DriverMessageState,
  announce: (type: MessageType) => void,
) {
  const announced = useRef(0)
  const shownVersion = message && !isWithheld ? message.version : 0
  // An effect event: a later change of a setting must not announce the message again.
  const show = useEffectEvent(() => {
    if (shownVersion <= announced.current) return
    announced.current = shownVersion
    if (isNew && message?.type) announce(message.type)
  })
  useEffect(() => show(), [shownVersion])
}
