import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Message, MessageType } from '#contract/messages.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { messageText } from '#web/text/message.ts'
import { useToasts } from '#web/ui/toasts.ts'
import type { Press } from './delivery.ts'

export interface Failed {
  readonly press: Press
  readonly why: string
  /** The message's version when it was pressed: a newer one overtakes the failure. */
  readonly afterVersion: number
}

export interface Sending {
  /** The newest press that is not answered yet. */
  readonly pending: Press | null
  /** The last press, if it was not sent, and why. */
  readonly failed: Failed | null
  readonly press: (type: MessageType | null) => void
  /** The failed press once more, under its own id. */
  readonly tryAgain: () => void
}

/**
 * Sends presses one after the other, so that they arrive in the order of the hands. While one is on
 * its way only the newest of the later ones is kept: each message replaces the one before anyway.
 */
export function useSendMessage(sessionId: string, current: Message | null): Sending {
  const channel = useChannel()
  const me = useMe().id
  const toasts = useToasts()
  const [pending, setPending] = useState<Press | null>(null)
  const [failed, setFailed] = useState<Sending['failed']>(null)
  const waiting = useRef<Press | null>(null)
  const busy = useRef(false)
  const gone = useRef(false)

  // Somebody else's message is on the board by now: that this one failed would be told nowhere.
  const overtaken =
    failed !== null &&
    current !== null &&
    current.version > failed.afterVersion &&
    !(current.type === failed.press.type && current.sentBy === me)
  const tellOvertaken = useEffectEvent(() => {
    if (!failed) return
    const plate = messageText.plate(failed.press.type)
    toasts.error(messageText.maybeNotSent(plate), failed.why)
  })
  useEffect(() => {
    if (overtaken) tellOvertaken()
  }, [overtaken])

  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])

  function send(press: Press) {
    setFailed(null)
    setPending(press)
    waiting.current = press
    if (!busy.current) void work()
  }

  async function work() {
    busy.current = true
    for (let press = waiting.current; press; press = waiting.current) {
      waiting.current = null
      await sendOne(press)
    }
    busy.current = false
    if (!gone.current) setPending(null)
  }

  async function sendOne(press: Press) {
    const afterVersion = channel.session(sessionId).session?.message.version ?? 0
    try {
      const message = await command('messages.set', { sessionId, ...press })
      channel.learn(sessionId, message)
    } catch (reason) {
      // A newer press stands for what is wanted now: the older one may be forgotten.
      if (gone.current || waiting.current) return
      setFailed({ press, why: refusalText(reason), afterVersion })
    }
  }

  return {
    pending,
    failed,
    press: type => send({ type, pressedAt: channel.clock.now(), commandId: crypto.randomUUID() }),
    tryAgain: () => {
      if (failed) send(failed.press)
    },
  }
}
