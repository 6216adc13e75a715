import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Message, MessageType } from '#contract/sessions/messages.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login/login.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { messageText } from '#web/text/message.ts'
import { useToasts } from '#web/ui/overlays/toasts.ts'
import type { Press } from './delivery.ts'

export interface Failed {
  readonly press: Press
  readonly why: string
  /** Version of the message at the press: a newer one supersedes the failure. */
  readonly afterVersion: number
}

export interface Sending {
  /** The newest press without a response. */
  readonly pending: Press | null
  /** The last press, if it failed, and the reason. */
  readonly failed: Failed | null
  readonly press: (
    type: MessageType | null,
    how?: Pick<Press, 'colour'> & { ask?: boolean },
  ) => void
  /** Retries the failed press under its own command id. */
  readonly tryAgain: () => void
}

/**
 * Sends presses one at a time, so that they arrive in order. While a request is pending only the newest
 * later press is queued, since each message replaces the one before.
 */
export function useSendMessage(sessionId: string, current: Message | null): Sending {
  const channel = useChannel()
  const me = useMe().id
  const toasts = useToasts()
  const [pending, setPending] = useState<Press | null>(null)
  const [failed, setFailed] = useState<Sending['failed']>(null)
  const queued = useRef<Press | null>(null)
  const busy = useRef(false)
  const unmounted = useRef(false)

  // A newer message is on the board: the failure has no place to be shown.
  const overtaken =
    failed !== null &&
    current !== null &&
    current.version > failed.afterVersion &&
    !(current.type === failed.press.type && current.sentBy === me)
  const reportOvertaken = useEffectEvent(() => {
    if (!failed) return
    const plate = messageText.plate(failed.press.type)
    toasts.error(messageText.maybeNotSent(plate), failed.why)
  })
  useEffect(() => {
    if (overtaken) reportOvertaken()
  }, [overtaken])

  useEffect(() => {
    unmounted.current = false
    return () => {
      unmounted.current = true
    }
  }, [])

  function send(press: Press) {
    setFailed(null)
    setPending(press)
    queued.current = press
    if (!busy.current) void drain()
  }

  async function drain() {
    busy.current = true
    for (let press = queued.current; press; press = queued.current) {
      queued.current = null
      await sendOne(press)
    }
    busy.current = false
    if (!unmounted.current) setPending(null)
  }

  async function sendOne(press: Press) {
    const afterVersion = channel.session(sessionId).session?.message.version ?? 0
    try {
      const { colour: _ofTeam, ...sent } = press
      const message = await command('messages.set', { sessionId, ...sent })
      channel.mergeMessage(sessionId, message)
    } catch (reason) {
      // A newer press supersedes this one.
      if (unmounted.current || queued.current) return
      setFailed({ press, why: refusalText(reason), afterVersion })
    }
  }

  return {
    pending,
    failed,
    press: (type, { ask = false, colour } = {}) =>
      send({ type, ask, colour, pressedAt: channel.clock.now(), commandId: crypto.randomUUID() }),
    tryAgain: () => {
      if (failed) send(failed.press)
    },
  }
}
