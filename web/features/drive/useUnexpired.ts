import { useEffect, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { isVisible, onVisible } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { keepShown, keptMessage } from './keptMessage.ts'

/** How soon it is looked at again whether the server has told the time. */
const askedAgainMs = 100

interface Unexpired {
  /** The message came too late to be shown as new, or may have: the driver sees none. */
  readonly expired: boolean
  /** It was painted on a visible page: from now on it stays until it is replaced. */
  readonly noteShown: () => void
}

/** Whether a message may still be shown, by the server's clock. Looked at whenever the page is seen. */
export function useUnexpired(sessionId: string, message: Message): Unexpired {
  const { clock } = useChannel()
  const [shownVersion, setShownVersion] = useState(() => shownBefore(sessionId))
  const [looks, lookAgain] = useState(0)
  const { version, expiresAt, shownAt } = message
  const wasShown = shownAt !== null || shownVersion === version
  const late = expiresAt !== null && clock.now() >= expiresAt
  // A device that has just woken up guesses the time: the server is asked first.
  const unsure = expiresAt !== null && !clock.sure
  const expired = !wasShown && (late || unsure)

  useEffect(() => {
    if (wasShown || late || expiresAt === null) return
    const look = () => lookAgain(count => count + 1)
    const undoVisible = onVisible(look)
    // On a page that is seen it is shown at once; this is for one that stays hidden, or has to ask.
    const waitMs = unsure ? askedAgainMs : isVisible() ? null : expiresAt - clock.now()
    const timer = waitMs === null ? undefined : setTimeout(look, waitMs)
    return () => {
      undoVisible()
      clearTimeout(timer)
    }
  }, [clock, wasShown, late, unsure, expiresAt, looks])

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
