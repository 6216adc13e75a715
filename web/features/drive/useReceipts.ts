import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { afterPaint } from '#web/device/painted.ts'
import { isVisible } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useUnexpired } from './useUnexpired.ts'

interface Copying {
  /** The driver acknowledged the message that is up. */
  readonly copied: boolean
  /** It came too late to be shown. */
  readonly expired: boolean
  /** Acknowledges it, if it is seen, and says whether it did. A second time does nothing. */
  readonly copy: () => boolean
}

/** Tells the team how far each message came: it reached the phone, was painted, was acknowledged. */
export function useReceipts(sessionId: string, message: Message): Copying {
  const channel = useChannel()
  const [copiedVersion, setCopiedVersion] = useState(0)
  const { expired, noteShown } = useUnexpired(sessionId, message)
  const { version } = message
  const isReached = message.reachedAt !== null
  const isShown = message.shownAt !== null
  const painted = useRef(0)
  const copied = copiedVersion === version || message.copiedAt !== null
  const sayShown = useEffectEvent(() => {
    channel.sendReceipt({ sessionId, version, stage: 'shown', at: channel.clock.now() })
    noteShown()
  })

  useEffect(() => {
    if (version === 0 || isReached) return
    channel.sendReceipt({ sessionId, version, stage: 'reached', at: channel.clock.now() })
  }, [channel, sessionId, version, isReached])
  // As the word comes into the page: its frame is the next one.
  useLayoutEffect(() => {
    if (version === 0 || expired) return
    return afterPaint(() => {
      painted.current = version
      if (!isShown) sayShown()
    })
  }, [version, isShown, expired])

  function copy() {
    // A headset's button also works in a pocket: who has not seen the word acknowledges nothing.
    if (painted.current !== version || !isVisible()) return false
    if (message.type === null || expired || copied) return false
    setCopiedVersion(version)
    channel.sendReceipt({ sessionId, version, stage: 'copied', at: channel.clock.now() })
    return true
  }
  return { copied: version > 0 && copied, expired, copy }
}
