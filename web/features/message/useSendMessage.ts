import { useEffect, useRef, useState } from 'react'
import type { MessageType } from '#contract/messages.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
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
export function useSendMessage(sessionId: string): Sending {
  const channel = useChannel()
  const [pending, setPending] = useState<Press | null>(null)
  const [failed, setFailed] = useState<Sending['failed']>(null)
  const waiting = useRef<Press | null>(null)
  const busy = useRef(false)
  const gone = useRef(false)

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
