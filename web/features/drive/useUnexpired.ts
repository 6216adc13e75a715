import { useEffect, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { isVisible, onVisible } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { keepShown, keptMessage } from './keptMessage.ts'

interface Unexpired {
  /** The message came too late to be shown as new: the driver sees none. */
  readonly expired: boolean
  /** It was painted on a visible page: from now on it stays until it is replaced. */
  readonly noteShown: () => void
}

/** Whether a message may still be shown, by the server's clock. Looked at whenever the page is seen. */
export function useUnexpired(sessionId: string, message: Message): Unexpired {
  const { clock } = useChannel()
  const [shownVersion, setShownVersion] = useState(() => shownBefore(sessionId))
  const [, lookAgain] = useState(0)
  const { version, expiresAt, shownAt } = message
  const wasShown = shownAt !== null || shownVersion === version
  const expired = !wasShown && expiresAt !== null && clock.now() >= expiresAt

  useEffect(() => {
    if (wasShown || expired || expiresAt === null) return
    const look = () => lookAgain(count => count + 1)
    const undoVisible = onVisible(look)
    // On a page that is seen it is shown at once; this is for one that stays hidden.
    const timer = isVisible() ? undefined : setTimeout(look, expiresAt - clock.now())
    return () => {
      undoVisible()
      clearTimeout(timer)
    }
  }, [clock, wasShown, expired, expiresAt])

  return {
    expired,
    noteShown: () => {
      setShownVersion(version)
      keepShown(sessionId, version, clock.now())
    },
  }
}

function shownBefore(sessionId: string): number {
  const kept = keptMessage(sessionId)
  return kept && kept.shownAt !== null ? kept.version : 0
}
